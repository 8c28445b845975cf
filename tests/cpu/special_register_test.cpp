// SPDX-License-Identifier: MIT
// Debug and test registers, and salc.
#include <gtest/gtest.h>

#include "tests/cpu/protected_bench.h"

namespace symsim::test {
namespace {

constexpr int kUndefinedOpcode = 6, kProtection = 13;

// A 386EX has FFFF0FF0 in DR6 (SingleStepTests/80386, all cases of 00.MOO): its reserved bits are
// constant, B0 to B3, BD, BS and BT are kept (PRM 12.2.3).
TEST(SpecialRegisters, ReservedBitsOfDr6AreConstant) {
    const auto load = [](std::uint32_t value) {
        Bench bench;
        bench.regs()[eax] = value;
        bench.run({0x0f, 0x23, 0xf0, 0x0f, 0x21, 0xf3});  // mov dr6, eax; mov ebx, dr6
        return bench.regs()[ebx];
    };
    EXPECT_EQ(after({0x0f, 0x21, 0xf3})->regs()[ebx], 0xffff'0ff0u) << "at the start";
    EXPECT_EQ(load(0), 0xffff'0ff0u);
    EXPECT_EQ(load(0xffff'ffff), 0xffff'efffu);
    EXPECT_EQ(load(0x4001), 0xffff'4ff1u);
}

TEST(SpecialRegisters, AfterASingleStepDr6HasOnlyBsAdded) {
    ProtectedBench bench;
    bench.vector(1, ProtectedBench::kCode0, Bench::kCode + 0x80, ProtectedBench::kInterruptGate);
    bench.flags().set(Flags::kTrap);
    EXPECT_EQ(bench.run({0x90, 0x90}), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.eip(), Bench::kCode + 0x80);
    EXPECT_EQ(bench.processor.system().dr[6], 0xffff'4ff0u);
}

// mov tr, eax; mov ebx, tr
Bytes there_and_back(unsigned number) {
    const auto modrm = static_cast<std::uint8_t>(0xc0 | number << 3);
    return {0x0f, 0x26, modrm, 0x0f, 0x24, static_cast<std::uint8_t>(modrm | ebx)};
}

// The 386 has TR6 and TR7, the 486 also TR3 to TR5, later processors none.
TEST(SpecialRegisters, TestRegistersKeepWhatIsWritten) {
    for (const Isa isa : {Isa::i386, Isa::i486, Isa::i586, Isa::i686})
        for (unsigned number = 0; number < 8; ++number) {
            Bench bench(0, isa);
            bench.regs()[eax] = 0x1234'5678 + number;
            const bool exists = number >= (isa == Isa::i386 ? 6u : isa == Isa::i486 ? 3u : 8u);
            const StopReason reason = bench.run(there_and_back(number));
            ASSERT_EQ(reason, exists ? StopReason::halted : StopReason::failed) << number;
            if (exists) {
                EXPECT_EQ(bench.regs()[ebx], 0x1234'5678u + number);
            } else {
                EXPECT_EQ(bench.processor.failure().vector, kUndefinedOpcode);
            }
        }
}

TEST(SpecialRegisters, OnlyRing0MovesTestRegisters) {
    ProtectedBench bench;
    bench.enter_ring_3();
    EXPECT_EQ(bench.run(there_and_back(6)), StopReason::failed);
    EXPECT_EQ(bench.exception(), std::pair(kProtection, 0u));
}

// PRM, chapter 17, MOV: 12 clocks.
TEST(SpecialRegisters, AMoveOfATestRegisterTakes12Clocks) {
    EXPECT_EQ(Bench().clocks(there_and_back(7)), 24u);
}

// Not in the manual; executed by all of Intel's processors from the 8086 on.
TEST(Salc, SetsAlByCarryAndNothingElse) {
    for (const bool carry : {false, true}) {
        Bench bench;
        bench.regs()[eax] = 0x1234'5678;
        bench.flags().set(Flags::kOverflow | Flags::kSign | (carry ? Flags::kCarry : 0u));
        const std::uint32_t flags = bench.flags().value();
        EXPECT_EQ(bench.run({0xd6}), StopReason::halted) << bench.complaint();
        EXPECT_EQ(bench.regs()[eax], carry ? 0x1234'56ffu : 0x1234'5600u);
        EXPECT_EQ(bench.flags().value(), flags);
    }
}

}  // namespace
}  // namespace symsim::test
