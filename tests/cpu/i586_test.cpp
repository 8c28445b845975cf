// SPDX-License-Identifier: MIT
// What the 586 adds: cmpxchg8b, cpuid, rdtsc, cr4, the flag ID. tests/lockstep compares cmpxchg8b
// with Unicorn too.
#include <gtest/gtest.h>

#include "tests/cpu/page_tables.h"
#include "tests/cpu/protected_bench.h"

namespace symsim::test {
namespace {

constexpr Address kData = Bench::kData;
constexpr int kUndefinedOpcode = 6, kProtection = 13, kPage = 14;
const Bytes kCpuid = {0x0f, 0xa2};
const Bytes kRdtsc = {0x0f, 0x31};
const Bytes kExchange = {0xf0, 0x0f, 0xc7, 0x0b};  // lock cmpxchg8b [ebx]

Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<TransactionKind> kinds_at(const Bench& bench, Address from, Address to) {
    std::vector<TransactionKind> kinds;
    for (const BusUse& use : bench.observer.uses)
        if (!use.reply && use.address >= from && use.address < to) kinds.push_back(use.kind);
    return kinds;
}

int fault_of(const Bench& bench) {
    return bench.processor.failure().vector ? *bench.processor.failure().vector : -1;
}

struct Exchange {
    explicit Exchange(Address address, Isa isa = Isa::i586) : bench(0, isa) {
        bench.memory.write(address, 4, 0x1111'1111);
        bench.memory.write(address + 4, 4, 0x2222'2222);
        bench.regs()[ebx] = address;
        bench.regs()[ecx] = 0x4444'4444;
        bench.regs()[eax] = 0x1111'1111;
        bench.regs()[edx] = 0x2222'2222;
        bench.flags().set(Flags::kCarry | Flags::kSign);
    }
    Bench bench;
};

TEST(Cmpxchg8b, StoresIfBothHalvesAreEqualAndElseLoads) {
    for (const bool low : {false, true})
        for (const bool high : {false, true}) {
            Exchange e(kData);
            Bench& bench = e.bench;
            bench.regs()[eax] += !low;
            bench.regs()[edx] += !high;
            ASSERT_EQ(bench.run(kExchange), StopReason::halted) << bench.complaint();
            const bool equal = low && high;
            EXPECT_EQ(bench.memory.read(kData, 4), equal ? kData : 0x1111'1111u);
            EXPECT_EQ(bench.memory.read(kData + 4, 4), equal ? 0x4444'4444u : 0x2222'2222u);
            EXPECT_EQ(bench.regs()[eax], 0x1111'1111u);
            EXPECT_EQ(bench.regs()[edx], 0x2222'2222u);
            EXPECT_EQ(bench.flags().value() & Flags::kArithmetic,
                      Flags::kCarry | Flags::kSign | (equal ? +Flags::kZero : 0u));
        }
}

TEST(Cmpxchg8b, KeepsItsLineLockedUntilBothHalvesAreStored) {
    using K = TransactionKind;
    Exchange one(kData + 8);
    one.bench.run(kExchange);
    EXPECT_EQ(kinds_at(one.bench, kData, kData + 0x20),
              (std::vector{K::locked_read, K::locked_store, K::locked_store, K::unlock}));
    Exchange two(kData + 12);  // in two lines
    two.bench.run(kExchange);
    EXPECT_EQ(kinds_at(two.bench, kData, kData + 0x20),
              (std::vector{K::locked_read, K::locked_read, K::locked_store, K::locked_store,
                           K::unlock, K::unlock}));
}

// The second half is on a page that may not be written. Nothing is locked or stored.
TEST(Cmpxchg8b, AFaultOfItsSecondHalfLeavesTheFirstAlone) {
    constexpr Address kAt = 0x20'4ffc;
    Exchange e(kAt);
    Bench& bench = e.bench;
    map(bench.memory, kPresent | kWritable | kAccessed | kDirty);
    bench.memory.write(entry_of(0x20'5000), 4, 0x20'5000 | kAccessed);
    System& system = bench.processor.system();
    system.cr3 = kDirectory;
    system.cr0 |= cr0::kPaging;
    bench.processor.system_changed();
    EXPECT_EQ(bench.run(kExchange), StopReason::failed);
    EXPECT_EQ(bench.processor.failure().vector, kPage);
    EXPECT_EQ(system.cr2, 0x20'5000u);
    EXPECT_EQ(bench.memory.read(kAt, 4), 0x1111'1111u);
    EXPECT_EQ(kinds_at(bench, kAt & ~15u, 0x20'5010), std::vector<TransactionKind>{});
}

TEST(Cpuid, HasAVendorOfItsOwnAndTheFeaturesOfItsSet) {
    for (const Isa isa : {Isa::i586, Isa::i686}) {
        Bench bench(0, isa);
        bench.regs()[eax] = 0;
        bench.run(kCpuid);
        EXPECT_EQ(bench.regs()[eax], 1u);
        std::string vendor;
        for (const Reg reg : {ebx, edx, ecx})
            for (unsigned n = 0; n < 4; ++n)
                vendor += static_cast<char>(bench.regs()[reg] >> 8 * n);
        EXPECT_EQ(vendor, "symsim model");
        // Leaf 1, and those that are not there: FPU, PSE, TSC, CX8, of the 686 CMOV. Neither MMX
        // (bit 23) nor SSE (25, 26).
        for (const std::uint32_t leaf : {1u, 2u, 4u, 7u, 0x8000'0000u}) {
            bench.regs()[eax] = leaf;
            bench.run(kCpuid);
            EXPECT_EQ(bench.regs()[edx], isa == Isa::i586 ? 0x119u : 0x8119u);
            EXPECT_EQ(bench.regs()[eax] >> 8, isa == Isa::i586 ? 5u : 6u);
            EXPECT_EQ(bench.regs()[ebx] | bench.regs()[ecx], 0u);
        }
    }
}

// Two readings are as many clocks apart as the instructions from the first to the second take:
// rdtsc 6, mov 2, four nops 3 each.
TEST(Rdtsc, CountsTheProcessorsClocks) {
    Bench bench(0, Isa::i586);
    const Bytes twice = kRdtsc + Bytes{0x89, 0xc3, 0x90, 0x90, 0x90, 0x90} + kRdtsc;
    for (unsigned warm = 0; warm < 2; ++warm) bench.run(twice);
    EXPECT_EQ(bench.regs()[eax] - bench.regs()[ebx], 6u + 2 + 4 * 3);
    const auto now = static_cast<std::uint64_t>(bench.processor.context().time / 62'500);
    EXPECT_LT(bench.regs()[eax], now);
    EXPECT_EQ(bench.regs()[edx], 0u);
    bench.processor.context().time += (std::int64_t{1} << 32) * 62'500;
    bench.run(twice);
    EXPECT_EQ(bench.regs()[edx], 1u);
}

// Registers and flags are alike at each turn of a loop that waits by rdtsc. The loop must not be
// taken for an endless one: Context::changes tells the turns apart (loop_detector.h).
TEST(Rdtsc, CountsAsAChange) {
    Bench bench(0, Isa::i586);
    const std::uint64_t before = bench.processor.context().changes;
    bench.run(kRdtsc);
    EXPECT_NE(bench.processor.context().changes, before);
}

TEST(Rdtsc, IsForRing0AloneIfCr4SaysSo) {
    for (const bool disabled : {false, true})
        for (const unsigned ring : {0u, 3u}) {
            Bench bench(0, Isa::i586);
            bench.processor.system().cr4 = disabled ? cr4::kTimeStampDisable : 0;
            bench.processor.system().cpl = ring;
            const bool faults = disabled && ring == 3;
            bench.run(kRdtsc);
            EXPECT_EQ(fault_of(bench), faults ? kProtection
                                       : ring ? kProtection
                                              : -1)
                << "hlt in ring 3 faults too";
            EXPECT_EQ(bench.processor.failure().eip == Bench::kCode, faults);
        }
}

TEST(Cr4, KeepsItsTwoBitsAndRefusesTheOthers) {
    const Bytes there_and_back = {0x0f, 0x22, 0xe0,
                                  0x0f, 0x20, 0xe3};  // mov cr4, eax; mov ebx, cr4
    for (unsigned bit = 0; bit < 32; ++bit) {
        Bench bench(0, Isa::i586);
        bench.regs()[eax] = 1u << bit;
        const bool known = bit == 2 || bit == 4;
        EXPECT_EQ(bench.run(there_and_back), known ? StopReason::halted : StopReason::failed);
        EXPECT_EQ(bench.regs()[ebx], known ? 1u << bit : 0u);
        EXPECT_EQ(fault_of(bench), known ? -1 : kProtection);
    }
    Bench older(0, Isa::i486);
    EXPECT_EQ(older.run(there_and_back), StopReason::failed);
    EXPECT_EQ(older.processor.failure().vector, kUndefinedOpcode);
}

// AC exists from the 486 on, ID from the 586 on. popf, iret and a task switch load them there
// alone.
TEST(LaterFlags, AreThoseOfTheProcessor) {
    constexpr std::uint32_t kBoth = Flags::kAlignment | Flags::kIdentification;
    for (const auto& [isa, expected] : {std::pair{Isa::i386, 0u},
                                        {Isa::i486, +Flags::kAlignment},
                                        {Isa::i586, kBoth},
                                        {Isa::i686, kBoth}}) {
        // push eax; popfd; pushfd; pop ebx
        Bench bench(0, isa);
        bench.regs()[eax] = kBoth;
        ASSERT_EQ(bench.run({0x50, 0x9d, 0x9c, 0x5b}), StopReason::halted);
        EXPECT_EQ(bench.regs()[ebx] & kBoth, expected);
        ProtectedBench tasks;
        if (isa != Isa::i386) continue;
        tasks.memory.write(ProtectedBench::tss(1) + 0x24, 4, kBoth | Flags::kAlwaysSet);
        ASSERT_EQ(tasks.jump(ProtectedBench::kTask1), StopReason::halted) << tasks.complaint();
        EXPECT_EQ(tasks.flags().value() & kBoth, 0u) << "after a task switch";
    }
}

}  // namespace
}  // namespace symsim::test
