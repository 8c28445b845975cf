// SPDX-License-Identifier: MIT
// A bench in protected mode with a GDT, an IDT without gates, and task state segments. An exception
// then shuts the processor down, and the failure names the first one: vector and error code.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tests/cpu/bench.h"

namespace symsim::test {

struct ProtectedBench {
    static constexpr Address kCode = Bench::kCode, kStack = Bench::kStack;
    static constexpr Address kGdt = 0x30'0000;
    static constexpr Address kIdt = 0x30'1000;
    static constexpr Address kTss = 0x30'2000;  // TSS n is 0x100 * n beyond
    static constexpr std::uint16_t kCode0 = 0x08, kData0 = 0x10, kCode3 = 0x1b, kData3 = 0x23;
    // TSS 0 is current. TSS 1 and 2 are available.
    static constexpr std::uint16_t kTask0 = 0x28, kTask1 = 0x30, kTask2 = 0x38;
    static constexpr std::uint16_t kFree = 0x40;  // descriptors for the test, up to 0x78
    static constexpr std::uint8_t kInterruptGate = 0x8e, kCallGate = 0x8c, kTaskGateByte = 0x85;
    static constexpr unsigned k4K32 = 0xc, k32 = 0x4;

    ProtectedBench() {
        descriptor(kCode0, 0, 0xf'ffff, 0x9b, k4K32);
        descriptor(kData0, 0, 0xf'ffff, 0x93, k4K32);
        descriptor(kCode3, 0, 0xf'ffff, 0xfb, k4K32);
        descriptor(kData3, 0, 0xf'ffff, 0xf3, k4K32);
        for (unsigned n = 0; n < 3; ++n) {
            descriptor(static_cast<std::uint16_t>(kTask0 + 8 * n), tss(n), 0x67,
                       n == 0 ? 0x8b : 0x89, 0);
            task(n, kCode + 0x100, kStack - 0x400 * (n + 1));
        }
        System& system = processor.system();
        system.gdtr = {kGdt, 0x7f};
        system.tr = {tss(0), 0x67, kTask0, 0x8b, false};
        system.segments[ss].selector = kData0;
        processor.system_changed();
    }
    static constexpr Address tss(unsigned n) { return kTss + 0x100 * n; }
    StopReason run(const Bytes& bytes) { return bench.run(bytes); }
    Registers& regs() { return bench.regs(); }
    Flags& flags() { return bench.flags(); }
    Address eip() const { return bench.eip(); }
    const std::string& complaint() const { return bench.complaint(); }

    // `selector` as in a register: its RPL does not matter.
    void descriptor(std::uint16_t selector, Address base, std::uint32_t limit, unsigned access,
                    unsigned flags) {
        memory.write(kGdt + (selector & ~7u), 4, base << 16 | (limit & 0xffff));
        memory.write(kGdt + (selector & ~7u) + 4, 4,
                     (base & 0xff00'0000) | flags << 20 | (limit & 0xf'0000) | access << 8 |
                         (base >> 16 & 0xff));
    }
    unsigned access_of(std::uint16_t selector) const {
        return memory.read(kGdt + (selector & ~7u) + 5, 1);
    }
    void gate_at(Address at, std::uint16_t selector, Offset offset, unsigned access,
                 unsigned count = 0) {
        memory.write(at, 4, std::uint32_t{selector} << 16 | (offset & 0xffff));
        memory.write(at + 4, 4, (offset & 0xffff'0000) | access << 8 | count);
    }
    void call_gate(std::uint16_t at, std::uint16_t selector, Offset offset, unsigned ring,
                   unsigned count = 0) {
        gate_at(kGdt + (at & ~7u), selector, offset, kCallGate | ring << 5, count);
    }
    void vector(unsigned number, std::uint16_t selector, Offset offset, unsigned access) {
        processor.system().idtr = {kIdt, 0x1ff};
        gate_at(kIdt + 8 * number, selector, offset, access);
    }
    // A 386 TSS (PRM figure 7-1) of a task in ring 0. Its inner stack is 0x200 below its stack.
    void task(unsigned n, Offset eip, std::uint32_t stack) {
        const auto put = [&](unsigned at, std::uint32_t value) {
            memory.write(tss(n) + at, 4, value);
        };
        put(0x04, stack - 0x200);
        put(0x08, kData0);
        put(0x20, eip);
        put(0x24, Flags::kAlwaysSet);
        put(0x38, stack);
        for (const unsigned segment : {0x48, 0x50, 0x54, 0x58, 0x5c}) put(segment, kData0);
        put(0x4c, kCode0);
    }
    void selector_of_task(unsigned n, Seg which, std::uint16_t selector) {
        memory.write(tss(n) + 0x48 + 4 * which, 4, selector);
    }
    // As after a return to ring 3.
    void enter_ring_3() {
        System& system = processor.system();
        for (Segment& segment : system.segments)
            segment = {0, 0xffff'ffff, kData3, kReadWriteData | kRing3, true};
        system.segments[cs] = {0, 0xffff'ffff, kCode3, kReadExecuteCode | kRing3, true};
        system.cpl = 3;
        processor.system_changed();
    }
    // jmp selector:0 or call selector:0
    StopReason far(std::uint8_t opcode, std::uint16_t selector, Offset offset = 0) {
        Bytes bytes = {opcode};
        for (unsigned n = 0; n < 4; ++n)
            bytes.push_back(static_cast<std::uint8_t>(offset >> 8 * n));
        bytes.push_back(static_cast<std::uint8_t>(selector));
        bytes.push_back(static_cast<std::uint8_t>(selector >> 8));
        return run(bytes);
    }
    StopReason jump(std::uint16_t selector, Offset offset = 0) {
        return far(0xea, selector, offset);
    }
    StopReason call(std::uint16_t selector, Offset offset = 0) {
        return far(0x9a, selector, offset);
    }
    // The exception that nothing handled: vector and error code.
    std::pair<int, std::uint32_t> exception() const {
        const GuestFailure& failure = processor.failure();
        return {failure.vector.value_or(-1), failure.error_code.value_or(0)};
    }
    // Lets task 1 handle an exception that has an error code, and task 2 the double fault.
    void handle_by_task(unsigned number) {
        vector(number, kTask1, 0, kTaskGateByte);
        vector(8, kTask2, 0, kTaskGateByte);
    }
    std::uint16_t task() const { return processor.system().tr.selector; }
    // The error code that the current task got.
    std::uint32_t error_code() { return memory.read(regs()[esp], 4); }

    Bench bench;
    Memory& memory = bench.memory;
    Processor& processor = bench.processor;
};

}  // namespace symsim::test
