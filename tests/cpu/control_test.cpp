// SPDX-License-Identifier: MIT
// Jumps, calls, returns, loops, popf and iretd; and the messages of unhandled faults.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

// A branch target. Bench::eip() gives the address of the hlt there, since the hlt does not
// complete.
constexpr Address kFar = Bench::kCode + 64;

TEST(Control, JumpsByEveryCondition) {
    for (unsigned condition = 0; condition < 16; ++condition) {
        for (std::uint32_t bits = 0; bits < 32; ++bits) {
            const bool c = bits & 1, z = bits & 2, s = bits & 4, o = bits & 8, p = bits & 16;
            const bool holds[] = {o, c, z, c || z, s, p, s != o, z || s != o};
            const bool taken = holds[condition / 2] != (condition & 1);
            Bench bench;
            bench.flags().set((c ? Flags::kCarry : 0u) | (z ? Flags::kZero : 0u) |
                              (s ? Flags::kSign : 0u) | (o ? Flags::kOverflow : 0u) |
                              (p ? Flags::kParity : 0u));
            bench.run({static_cast<std::uint8_t>(0x70 + condition), 62});
            EXPECT_EQ(bench.eip(), taken ? kFar : Bench::kCode + 2)
                << "condition " << condition << " flags " << bits;
        }
    }
}

TEST(Control, CallsPushTheReturnAddress) {
    auto bench = after({0xe8, 59, 0, 0, 0});
    EXPECT_EQ(bench->eip(), kFar);
    EXPECT_EQ(bench->regs()[esp], Bench::kStack - 4);
    EXPECT_EQ(bench->memory.read(Bench::kStack - 4, 4), Bench::kCode + 5);
}

TEST(Control, CallsAndJumpsThroughRegistersAndMemory) {
    const auto set = [](Bench& b) {
        b.regs()[eax] = kFar;
        b.regs()[ebx] = Bench::kData;
        b.memory.write(Bench::kData, 4, kFar);
    };
    for (const Bytes& bytes : {Bytes{0xff, 0xe0}, {0xff, 0x23}, {0xff, 0xd0}, {0xff, 0x13}}) {
        auto bench = after(bytes, set);
        EXPECT_EQ(bench->eip(), kFar);
    }
    // A call through the stack takes its target from where esp points before the push.
    auto bench =
        after({0xff, 0x14, 0x24}, [](Bench& b) { b.memory.write(Bench::kStack, 4, kFar); });
    EXPECT_EQ(bench->eip(), kFar);
}

TEST(Control, ReturnsAndDropsArguments) {
    const auto set = [](Bench& b) { b.memory.write(Bench::kStack, 4, kFar); };
    auto plain = after({0xc3}, set);
    EXPECT_EQ(plain->eip(), kFar);
    EXPECT_EQ(plain->regs()[esp], Bench::kStack + 4);
    auto with = after({0xc2, 8, 0}, set);
    EXPECT_EQ(with->eip(), kFar);
    EXPECT_EQ(with->regs()[esp], Bench::kStack + 12);
}

TEST(Control, SixteenBitBranchesTruncateTheTarget) {
    Bench bench;
    bench.memory.write((Bench::kCode + 64) & 0xffff, 1, Bench::kHlt);
    bench.run({0x66, 0xe9, 60, 0});
    EXPECT_EQ(bench.eip(), (Bench::kCode + 64) & 0xffff);
}

TEST(Control, LoopInstructionsCountDownAndTestZf) {
    // inc eax; loop back
    auto plain = after({0x40, 0xe2, 0xfd}, [](Bench& b) { b.regs()[ecx] = 5; });
    EXPECT_EQ(plain->regs()[eax], 5u);
    EXPECT_EQ(plain->regs()[ecx], 0u);
    // inc eax; cmp eax, 3; loopne back
    auto until = after({0x40, 0x83, 0xf8, 3, 0xe0, 0xfa}, [](Bench& b) { b.regs()[ecx] = 5; });
    EXPECT_EQ(until->regs()[eax], 3u);
    EXPECT_EQ(until->regs()[ecx], 2u);
    // lea eax, [eax + 1]; cmp edx, edx; loope back (inc eax would change zf)
    auto equal =
        after({0x8d, 0x40, 1, 0x39, 0xd2, 0xe1, 0xf9}, [](Bench& b) { b.regs()[ecx] = 4; });
    EXPECT_EQ(equal->regs()[eax], 4u);
    // With a 16-bit address size only cx counts.
    auto word = after({0x40, 0x67, 0xe2, 0xfc}, [](Bench& b) { b.regs()[ecx] = 0x50002; });
    EXPECT_EQ(word->regs()[eax], 2u);
    EXPECT_EQ(word->regs()[ecx], 0x50000u);
}

TEST(Control, JecxzTestsEcxOrCx) {
    EXPECT_EQ(after({0xe3, 62})->eip(), kFar);
    const auto high = [](Bench& b) { b.regs()[ecx] = 0x10000; };
    EXPECT_EQ(after({0xe3, 62}, high)->eip(), Bench::kCode + 2);
    EXPECT_EQ(after({0x67, 0xe3, 61}, high)->eip(), kFar);
}

TEST(Control, UnhandledFaultsEndTheRunWithAMessage) {
    Bench zero;
    EXPECT_EQ(zero.run({0xf7, 0xf1}), StopReason::failed);
    EXPECT_EQ(zero.complaint(), "unhandled divide error (#DE, vector 0)");
    EXPECT_EQ(zero.eip(), Bench::kCode);
    Bench large;
    large.regs()[edx] = large.regs()[ecx] = 1;
    EXPECT_EQ(large.run({0xf7, 0xf1}), StopReason::failed);
    EXPECT_EQ(large.complaint(), "unhandled divide error (#DE, vector 0)");
    Bench into;
    into.flags().set(Flags::kOverflow);
    EXPECT_EQ(into.run({0xce}), StopReason::failed);
    Bench quiet;
    EXPECT_EQ(quiet.run({0xce}), StopReason::halted);
    Bench unknown;
    EXPECT_EQ(unknown.run({0xcd, 0x80}), StopReason::failed);
    EXPECT_EQ(unknown.complaint(), "unhandled interrupt (vector 128)");
    Bench trap;
    trap.memory.write(Bench::kStack, 4, Flags::kTrap);
    EXPECT_EQ(trap.run({0x9d}), StopReason::failed);
}

TEST(Control, PopfWritesTheFlagsA386Has) {
    auto bench = after({0x9d}, [](Bench& b) { b.memory.write(Bench::kStack, 4, 0xfffffeff); });
    EXPECT_EQ(bench->flags().value(), 0x7ed7u);
    EXPECT_EQ(bench->regs()[esp], Bench::kStack + 4);
}

TEST(Control, IretdOfRealModeLoadsTheResumeFlag) {
    Bench wide;
    wide.processor.system().cr0 &= ~1u;  // clears PE; the segments keep their limits
    wide.processor.system_changed();
    wide.memory.write(Bench::kStack, 4, kFar);
    wide.memory.write(Bench::kStack + 4, 4, 0);
    wide.memory.write(Bench::kStack + 8, 4, Flags::kResume | Flags::kCarry);
    // The resume flag is cleared by the next instruction, here the hlt.
    bool loaded = false;
    wide.at_pause = [&] { loaded = loaded || wide.flags().value() & Flags::kResume; };
    wide.run({0xcf});
    EXPECT_TRUE(loaded);
    EXPECT_EQ(wide.eip(), kFar);
    EXPECT_EQ(wide.flags().value(), Flags::kCarry | Flags::kAlwaysSet);
}

}  // namespace
}  // namespace symsim::test
