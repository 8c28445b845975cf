// SPDX-License-Identifier: MIT
#include "tests/fuzz/execute_start.h"

#include <initializer_list>

namespace symsim::fuzz {
namespace {

// Low memory is for real mode: interrupt vectors at 0, then handlers, data at 0x20000, then a
// stack.
constexpr Address kLowHandlers = 0x600;
constexpr Address kLowData = 0x2'0000;
constexpr Address kHandlers = 0x21'0000;
constexpr Address kGdt = 0x21'1000;
constexpr Address kIdt = 0x21'2000;
constexpr Address kTasks = 0x21'3000;  // four task state segments, 128 bytes apart
constexpr Address kDirectory = 0x21'4000;
constexpr Address kTable = 0x21'5000;
constexpr Address kEntryStacks = 0x22'0000;
constexpr unsigned kTableBytes = 0x400;

enum Selector : std::uint16_t {
    kCode0 = 0x08,
    kData0 = 0x10,
    kCode3 = 0x1b,
    kData3 = 0x23,
    kCode16 = 0x28,
    kData16 = 0x30,
    kTss = 0x38,  // processor 0; processor 1 has the next entry
};

void put(Memory& memory, Address at, std::initializer_list<int> bytes) {
    for (const int byte : bytes) memory.write(at++, 1, static_cast<std::uint32_t>(byte));
}

void put_descriptor(Memory& memory, unsigned index, Address base, std::uint32_t limit,
                    unsigned access, unsigned flags) {
    memory.write(kGdt + 8 * index, 4, base << 16 | (limit & 0xffff));
    memory.write(kGdt + 8 * index + 4, 4,
                 (base & 0xff00'0000) | flags << 20 | (limit & 0xf'0000) | access << 8 |
                     (base >> 16 & 0xff));
}

void put_gate(Memory& memory, Address at, unsigned selector, Address offset, unsigned access,
              unsigned count = 0) {
    memory.write(at, 4, selector << 16 | (offset & 0xffff));
    memory.write(at + 4, 4, (offset & 0xffff'0000) | access << 8 | count);
}

// Processors start with the first nine entries. The others are segments and gates of other kinds.
void put_segments(Memory& memory) {
    constexpr unsigned k4K32 = 0xc, k32 = 0x4;
    put_descriptor(memory, 0, 0, 0, 0, 0);
    put_descriptor(memory, 1, 0, 0xf'ffff, 0x9a, k4K32);
    put_descriptor(memory, 2, 0, 0xf'ffff, 0x92, k4K32);
    put_descriptor(memory, 3, 0, 0xf'ffff, 0xfb, k4K32);
    put_descriptor(memory, 4, 0, 0xf'ffff, 0xf3, k4K32);
    put_descriptor(memory, 5, 0x10'0000, 0xffff, 0x9b, 0);
    put_descriptor(memory, 6, kLowData, 0xffff, 0x93, 0);
    put_descriptor(memory, 7, kTasks, 103, 0x89, 0);
    put_descriptor(memory, 8, kTasks + 128, 103, 0x89, 0);
    put_descriptor(memory, 9, 0x20'0000, 0x1f, 0xf2, k32);     // 32 bytes
    put_descriptor(memory, 10, 0x20'0000, 0x1f, 0xf6, k32);    // expands down
    put_descriptor(memory, 11, 0, 0xf'ffff, 0x9e, k4K32);      // conforming code
    put_descriptor(memory, 12, 0, 0xf'ffff, 0x72, k4K32);      // not present
    put_descriptor(memory, 13, kGdt, 0x7f, 0x82, 0);           // an LDT: the first GDT entries
    put_descriptor(memory, 14, kTasks + 256, 43, 0xe1, 0);     // a 286 TSS
    put_descriptor(memory, 15, kTasks + 384, 103, 0xe9, 0);    // a third 386 TSS
    put_gate(memory, kGdt + 8 * 16, kCode0, kHandlers, 0xec);  // call gates
    put_gate(memory, kGdt + 8 * 17, kCode0, kHandlers + 16, 0xec, 2);
    put_gate(memory, kGdt + 8 * 18, kCode16, 0x20, 0xe4, 1);
    put_gate(memory, kGdt + 8 * 19, 15 * 8, 0, 0xe5);  // task gate
}

// Exception handlers increment the return address, so that the code after an instruction that
// faults is executed too.
void put_handlers(Memory& memory) {
    put(memory, kHandlers, {0xff, 0x04, 0x24, 0xcf});                      // inc dword [esp]; iretd
    put(memory, kHandlers + 16, {0x83, 0xc4, 4, 0xff, 0x04, 0x24, 0xcf});  // first add esp, 4
    put(memory, kHandlers + 32, {0x40, 0xcf});                             // inc eax; iretd
    put(memory, kHandlers + 48, {0xf4, 0xeb, 0xfd});                       // hlt in a loop
    // push bp; mov bp, sp; inc word [bp+2]; pop bp; iret
    put(memory, kLowHandlers, {0x55, 0x89, 0xe5, 0xff, 0x46, 2, 0x5d, 0xcf});
    for (unsigned vector = 0; vector < 256; ++vector)
        memory.write(4 * vector, 4, kLowHandlers >> 4 << 16);
}

void put_interrupts(Memory& memory) {
    for (unsigned vector = 0; vector < kTableBytes / 8; ++vector) {
        const bool code = vector == 8 || (vector >= 10 && vector <= 14);
        const bool exception = vector < 32 && vector != 1 && vector != 3;
        const Address handler = kHandlers + (!exception ? 32 : vector == 8 ? 48 : code ? 16 : 0);
        const unsigned access = vector < 32 && vector != 3 ? 0x8e : vector % 2 ? 0xef : 0xee;
        put_gate(memory, kIdt + 8 * vector, kCode0, handler, access);
    }
    put_gate(memory, kIdt + 8 * 40, 15 * 8, 0, 0xe5);  // a task
    put_gate(memory, kIdt + 8 * 41, kCode16, 0x20, 0xe6);
    put_gate(memory, kIdt + 8 * 42, kCode0, kHandlers + 32, 0x6e);  // not present
}

// Writes four task state segments. A task switch can go to three of them (Intel 80386 Programmer's
// Reference Manual, figure 7-1). The other one is used as a 286 TSS, and its bytes have no
// intended meaning there.
void put_tasks(Memory& memory) {
    for (unsigned n = 0; n < 4; ++n) {
        const Address tss = kTasks + 128 * n;
        memory.write(tss + 4, 4, kEntryStacks - 0x1000 * n);
        memory.write(tss + 8, 4, kData0);
        memory.write(tss + 0x1c, 4, kDirectory);
        memory.write(tss + 0x20, 4, 0x10'0004);
        memory.write(tss + 0x24, 4, 2);
        memory.write(tss + 0x38, 4, kEntryStacks - 0x1000 * n - 0x800);
        for (unsigned s = 0; s < kSegments; ++s)
            memory.write(tss + 0x48 + 4 * s, 4, s == cs ? kCode0 : s == ss ? kData0 : kData3);
        memory.write(tss + 0x66, 2, 64);  // I/O map: whatever bytes are at offset 64
    }
}

// Maps memory to itself, with other rights or another address for four pages of data.
void put_pages(Memory& memory) {
    constexpr std::uint32_t kAll = 7;
    memory.write(kDirectory, 4, kTable | kAll);
    for (unsigned n = 1; n < 1024; ++n) memory.write(kDirectory + 4 * n, 4, 0);
    memory.write(kDirectory + 4, 4, kTable | 5);  // mapped again from 4 MB on, read-only
    for (unsigned n = 0; n < 1024; ++n) memory.write(kTable + 4 * n, 4, n << 12 | kAll);
    memory.write(kTable + 4 * 0x201, 4, 0x20'1000 | 5);     // read-only
    memory.write(kTable + 4 * 0x202, 4, 0x20'2000 | 3);     // for rings 0 to 2 only
    memory.write(kTable + 4 * 0x203, 4, 0x20'0000 | 6);     // not present
    memory.write(kTable + 4 * 0x204, 4, 0x10'0000 | kAll);  // code, at a second address
}

Segment flat(std::uint16_t selector, std::uint8_t access) {
    return {0, 0xffff'ffff, selector, access, true};
}

void put_real_segments(System& system, bool virtual_8086) {
    const std::uint8_t access = virtual_8086 ? kReadWriteData | kRing3 : kReadWriteData;
    for (Segment& segment : system.segments) segment = {kLowData, 0xffff, 0x2000, access, false};
    system.segments[cs] = {0xf'fff0, 0xffff, 0xffff, access, false};
}

}  // namespace

void write_tables(Memory& memory, const std::uint8_t* input, std::size_t size, bool wild) {
    for (const Address table : {kGdt, kIdt})
        for (unsigned n = 0; n < kTableBytes; ++n)
            memory.write(table + n, 1, input[(n + table) % size]);
    if (!wild) {
        put_segments(memory);
        put_interrupts(memory);
    }
    put_handlers(memory);
    put_tasks(memory);
    put_pages(memory);
    for (unsigned n = 0; n < 4096; ++n) memory.write(kLowData + n, 1, input[n % size]);
}

void put_into(Processor& processor, Start start, Address code, Address data) {
    Context& context = processor.context();
    System& system = processor.system();
    context.eip = code;
    if (start == Start::flat) return;
    const auto tss = static_cast<std::uint16_t>(kTss + 8 * processor.id());
    system.gdtr = {kGdt, kTableBytes - 1};
    system.idtr = {kIdt, kTableBytes - 1};
    system.tr = {kTasks + 128 * processor.id(), 103, tss, 0x8b, false};
    system.cr3 = kDirectory;
    const bool ring_3 = start == Start::ring_3 || start == Start::paged_ring_3;
    for (Segment& segment : system.segments) segment = flat(kData3, kReadWriteData | kRing3);
    system.segments[ss] =
        ring_3 ? flat(kData3, kReadWriteData | kRing3) : flat(kData0, kReadWriteData);
    system.segments[cs] =
        ring_3 ? flat(kCode3, kReadExecuteCode | kRing3) : flat(kCode0, kReadExecuteCode);
    system.cpl = ring_3 ? 3 : 0;
    switch (start) {
        case Start::paged_ring_0:
        case Start::paged_ring_3:
            system.cr0 |= cr0::kPaging;
            break;
        case Start::narrow:
            system.segments[cs] = {0x10'0000, 0xffff, kCode16, kReadExecuteCode, false};
            system.segments[ss] = {kLowData, 0xffff, kData16, kReadWriteData, false};
            system.segments[ds] = system.segments[ss];
            context.eip = code - 0x10'0000;
            break;
        case Start::real:
            system.cr0 &= ~cr0::kProtection;
            system.idtr = {0, 0x3ff};
            put_real_segments(system, false);
            context.eip = code - 0xf'fff0;
            break;
        case Start::virtual_8086:
            system.cr0 |= cr0::kPaging;
            system.virtual_8086 = true;
            system.cpl = 3;
            put_real_segments(system, true);
            context.flags.set(Flags::kVirtual, Flags::kVirtual);
            context.eip = code - 0xf'fff0;
            break;
        default:
            break;
    }
    if (!system.segments[ss].big) {
        context.regs[esp] &= 0xffff;
        context.regs[ebx] -= data;
        context.regs[esi] -= data;
        context.regs[edi] -= data;
    }
    processor.system_changed();
}

}  // namespace symsim::fuzz
