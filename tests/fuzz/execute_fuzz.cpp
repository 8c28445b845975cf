// SPDX-License-Identifier: MIT
// Fuzzes the processor and the fast engine: executes random bytes as code in two machines. One is
// stepped access by access, the other runs ahead of its bus. Neither may fail, and both must do the
// same.
//
// An input is a Header, which selects the machine and the start state, then code. The whole input,
// repeated, also fills the machine's data and the unused entries of its descriptor tables, so that
// loads and segment loads find arbitrary values.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "sim/base/failure.h"
#include "tests/fuzz/execute_start.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace {

using namespace symsim;
using fuzz::Start;
using test::SmallMachine;

struct Header {
    std::uint8_t machine = 0;  // see config_of(), processors_of() and isa_of()
    std::uint8_t start = 0;    // bits 0-2: a Start, 3: wild tables, 4-5: IOPL, 6: DF, 7: IF
    std::uint8_t count = 0;    // initial value of ecx
    std::uint8_t spread = 0;   // offset of esi within the data
};

constexpr std::size_t kLongestCode = 2048;
constexpr std::uint8_t kHlt = 0xf4;
constexpr unsigned kLineBytes = 16;
constexpr unsigned kDataBytes = 4096;
// The machines are compared at these times. The last is some hundred instructions after the start.
// The bus may be in the middle of a transaction.
constexpr Time kPauses[] = {7'654'321, 40 * kMicrosecond, 150 * kMicrosecond};

// Small caches, so that lines are replaced.
ControllerConfig config_of(const Header& header) {
    ControllerConfig config = test::test_controller_config();
    config.geometry.line_bytes = kLineBytes;
    config.geometry.size_bytes = header.machine & 1 ? 256 : 4096;
    config.hit_wait_clocks = header.machine >> 1 & 1;
    config.store_policy = static_cast<StorePolicy>((header.machine >> 2 & 3) % 3);
    config.write_buffer_depth = header.machine >> 4 & 3;
    return config;
}

Start start_of(const Header& header) {
    return static_cast<Start>(header.start % fuzz::kStarts);
}

std::uint32_t flags_of(const Header& header) {
    return (header.start >> 4 & 3u) << 12 | (header.start & 0x40 ? Flags::kDirection : 0u) |
           (header.start & 0x80 ? Flags::kInterrupt : 0u);
}

unsigned processors_of(const Header& header) {
    return 1 + (header.machine >> 6 & 1);
}

Isa isa_of(const Header& header) {
    return header.machine & 0x80 ? Isa::i686 : Isa::i386;
}

std::unique_ptr<SmallMachine> build(const Header& header, const std::uint8_t* input,
                                    std::size_t size) {
    std::vector<std::uint8_t> code(input + sizeof(Header), input + size);
    code.resize(code.size() + 16, kHlt);
    auto machine = std::make_unique<SmallMachine>(processors_of(header), code, config_of(header),
                                                  &protocols::write_through, isa_of(header));
    for (unsigned n = 0; n < kDataBytes; ++n)
        machine->memory.data()[SmallMachine::kData + n] = input[n % size];
    if (start_of(header) != Start::flat)
        fuzz::write_tables(machine->memory, input, size, header.start & 8);
    for (ProcessorId id = 0; id < processors_of(header); ++id) {
        Context& context = machine->processor(id).context();
        context.flags.set(flags_of(header));
        context.regs[eax] = id;
        context.regs[ecx] = header.count;
        context.regs[edx] = 0x1234'5678;
        context.regs[ebx] = SmallMachine::kData;
        context.regs[esi] = SmallMachine::kData + header.spread;
        context.regs[edi] = SmallMachine::kData + 1024;
        context.regs[ebp] = SmallMachine::kData + 2048;
        context.regs[esp] = SmallMachine::kData + 0x8000 - 0x1000 * id;
        fuzz::put_into(machine->processor(id), start_of(header), SmallMachine::kCode,
                       SmallMachine::kData);
    }
    return machine;
}

bool same_memory(const SmallMachine& a, const SmallMachine& b, Address from, unsigned size) {
    return std::memcmp(a.memory.data() + from, b.memory.data() + from, size) == 0;
}

// Which of the first lines of code and data a cache contains, and when it last used them.
std::string lines(SmallMachine& machine, ProcessorId id) {
    std::string text;
    for (const Address base : {SmallMachine::kCode, SmallMachine::kData})
        for (Address a = base; a < base + 1024; a += kLineBytes)
            if (const Line* line = machine.cache(id).cache().find(a))
                text += fmt::format(" {:x}:{}", a, line->used);
    return text;
}

// System registers and segments, which SmallMachine::registers() does not include.
std::string system_of(SmallMachine& machine, ProcessorId id) {
    const System& system = machine.processor(id).system();
    std::string text =
        fmt::format("cpl {} cr0 {:x} cr2 {:x} cr3 {:x} gdt {:x} idt {:x} segments", system.cpl,
                    system.cr0, system.cr2, system.cr3, system.gdtr.base, system.idtr.base);
    for (const Segment& s : system.segments)
        text +=
            fmt::format(" {:x}:{:x}+{:x}:{:x}:{}", s.selector, s.base, s.limit, s.access, s.big);
    return text + fmt::format(" tr {:x} ldtr {:x}", system.tr.selector, system.ldtr.selector);
}

std::string text_of(const BusUse& use) {
    return fmt::format("{} {} {:x} size {} at {} for {} posted {} locked {}", use.processor,
                       name(use.kind), use.address, use.size, use.start, use.duration, use.posted,
                       use.locked);
}

template <class Value>
void expect_same(const Value& stepped, const Value& ahead, Time at) {
    if (stepped != ahead) impossible("at {} ps stepped:\n{}\nrun ahead:\n{}", at, stepped, ahead);
}

void compare(SmallMachine& stepped, SmallMachine& ahead, unsigned processors, Time at) {
    for (ProcessorId id = 0; id < processors; ++id) {
        expect_same(stepped.registers(id), ahead.registers(id), at);
        expect_same(system_of(stepped, id), system_of(ahead, id), at);
        expect_same(lines(stepped, id), lines(ahead, id), at);
    }
    const auto& uses = stepped.observer.uses;
    for (std::size_t n = 0; n < std::min(uses.size(), ahead.observer.uses.size()); ++n)
        expect_same(text_of(uses[n]), text_of(ahead.observer.uses[n]), at);
    expect_same(uses.size(), ahead.observer.uses.size(), at);
    if (!same_memory(stepped, ahead, SmallMachine::kCode, 4096) ||
        !same_memory(stepped, ahead, SmallMachine::kData, 0x2'0000))
        impossible("at {} ps memory differs", at);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Header header;
    if (size <= sizeof header || size > sizeof header + kLongestCode) return 0;
    std::memcpy(&header, data, sizeof header);
    const auto stepped = build(header, data, size);
    const auto ahead = build(header, data, size);
    for (const Time to : kPauses) {
        const Time end = ahead->run_fast_until(to);
        stepped->step_until(end);
        compare(*stepped, *ahead, processors_of(header), end);
        if (end < to) break;
    }
    return 0;
}
