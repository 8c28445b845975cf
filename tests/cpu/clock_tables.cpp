// SPDX-License-Identifier: MIT
#include "tests/cpu/clock_tables.h"

namespace symsim::test {
namespace {

constexpr Address kGdt = 0x21'0000;
constexpr Address kIdt = 0x21'1000;
constexpr Address kTss = 0x21'2000;
constexpr Address kDirectory = 0x21'3000;
constexpr Address kPageTables = 0x21'4000;
constexpr Address kEntryStack = 0x20'c000;

void put(Memory& memory, Address at, std::uint32_t low, std::uint32_t high) {
    memory.write(at, 4, low);
    memory.write(at + 4, 4, high);
}

void put_gate(Memory& memory, Address at, Address offset, std::uint32_t access_and_count) {
    put(memory, at, 8u << 16 | (offset & 0xffff), (offset & 0xffff'0000) | access_and_count);
}

}  // namespace

void load_tables(Memory& memory, Processor& processor, Address code) {
    constexpr std::uint32_t kFlatLow = 0x0000'ffff, kFlat = 0x00cf'0000;
    put(memory, kGdt + 0x08, kFlatLow, kFlat | 0x9b00);
    put(memory, kGdt + 0x10, kFlatLow, kFlat | 0x9300);
    put(memory, kGdt + 0x18, kFlatLow, kFlat | 0xfb00);
    put(memory, kGdt + 0x20, kFlatLow, kFlat | 0xf300);
    put_gate(memory, kGdt + 0x30, code + 64, 0xec00);
    put_gate(memory, kGdt + 0x38, code + 64, 0xec02);
    for (unsigned vector = 0; vector <= 0x41; ++vector)
        put_gate(memory, kIdt + 8 * vector, code + (vector == 0x41 ? 128 : 64), 0xee00);
    memory.write(kTss + 4, 4, kEntryStack);
    memory.write(kTss + 8, 4, 0x10);
    System& system = processor.system();
    system.gdtr = {kGdt, 0x3f};
    system.idtr = {kIdt, 8 * 0x42 - 1};
    system.tr = {kTss, 103, 0x28, 0x8b, false};
}

void go_to_ring_3(Processor& processor) {
    System& system = processor.system();
    for (Segment& segment : system.segments) {
        const bool is_code = &segment == &system.segments[cs];
        segment.selector = is_code ? 0x1b : 0x23;
        segment.access = (is_code ? kReadExecuteCode : kReadWriteData) | kRing3;
    }
    system.cpl = 3;
    processor.system_changed();
}

void go_to_real_mode(Memory& memory, Processor& processor) {
    constexpr Address kHandler = 0x500;
    constexpr std::uint32_t kHlt = 0xf4;
    memory.write(kHandler, 1, kHlt);
    for (unsigned vector = 0; vector < 256; ++vector) memory.write(4 * vector, 4, kHandler);
    System& system = processor.system();
    system.idtr = {0, 0x3ff};
    system.cr0 &= ~cr0::kProtection;
    processor.system_changed();
}

void turn_paging_on(Memory& memory, Processor& processor) {
    constexpr std::uint32_t kUsed = 0x67;  // present, writable, user, accessed, dirty
    const unsigned pages = static_cast<unsigned>(memory.size() >> 12);
    for (unsigned table = 0; table < pages >> 10; ++table)
        memory.write(kDirectory + 4 * table, 4, (kPageTables + (table << 12)) | kUsed);
    for (unsigned page = 0; page < pages; ++page)
        memory.write(kPageTables + 4 * page, 4, page << 12 | kUsed);
    System& system = processor.system();
    system.cr3 = kDirectory;
    system.cr0 |= cr0::kPaging;
    processor.system_changed();
}

}  // namespace symsim::test
