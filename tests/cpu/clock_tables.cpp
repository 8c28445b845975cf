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

void put(Bench& bench, Address at, std::uint32_t low, std::uint32_t high) {
    bench.memory.write(at, 4, low);
    bench.memory.write(at + 4, 4, high);
}

void put_gate(Bench& bench, Address at, Address offset, std::uint32_t access_and_count) {
    put(bench, at, 8u << 16 | (offset & 0xffff), (offset & 0xffff'0000) | access_and_count);
}

}  // namespace

void load_tables(Bench& bench) {
    constexpr std::uint32_t kFlatLow = 0x0000'ffff, kFlat = 0x00cf'0000;
    put(bench, kGdt + 0x08, kFlatLow, kFlat | 0x9b00);
    put(bench, kGdt + 0x10, kFlatLow, kFlat | 0x9300);
    put(bench, kGdt + 0x18, kFlatLow, kFlat | 0xfb00);
    put(bench, kGdt + 0x20, kFlatLow, kFlat | 0xf300);
    put_gate(bench, kGdt + 0x30, Bench::kCode + 64, 0xec00);
    put_gate(bench, kGdt + 0x38, Bench::kCode + 64, 0xec02);
    for (unsigned vector = 0; vector <= 0x41; ++vector)
        put_gate(bench, kIdt + 8 * vector, Bench::kCode + (vector == 0x41 ? 128 : 64), 0xee00);
    bench.memory.write(kTss + 4, 4, kEntryStack);
    bench.memory.write(kTss + 8, 4, 0x10);
    System& system = bench.processor.system();
    system.gdtr = {kGdt, 0x3f};
    system.idtr = {kIdt, 8 * 0x42 - 1};
    system.tr = {kTss, 103, 0x28, 0x8b, false};
}

void go_to_ring_3(Bench& bench) {
    System& system = bench.processor.system();
    for (Segment& segment : system.segments) {
        const bool code = &segment == &system.segments[cs];
        segment.selector = code ? 0x1b : 0x23;
        segment.access = (code ? kReadExecuteCode : kReadWriteData) | kRing3;
    }
    system.cpl = 3;
    bench.processor.system_changed();
}

void turn_paging_on(Bench& bench) {
    constexpr std::uint32_t kUsed = 0x67;  // present, writable, of all rings, accessed, dirty
    const unsigned pages = static_cast<unsigned>(bench.memory.size() >> 12);
    for (unsigned table = 0; table < pages >> 10; ++table)
        bench.memory.write(kDirectory + 4 * table, 4, (kPageTables + (table << 12)) | kUsed);
    for (unsigned page = 0; page < pages; ++page)
        bench.memory.write(kPageTables + 4 * page, 4, page << 12 | kUsed);
    System& system = bench.processor.system();
    system.cr3 = kDirectory;
    system.cr0 |= cr0::kPaging;
    bench.processor.system_changed();
}

}  // namespace symsim::test
