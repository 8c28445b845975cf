// SPDX-License-Identifier: MIT
// What the 686 adds: cmovcc, fcmovcc, fcomi, nops with an operand. tests/lockstep compares them
// with Unicorn; here is what that comparison leaves out.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

struct I686 : testing::Test {
    StopReason run(const std::string& source) { return bench.run(assemble({source})[0]); }
    std::uint32_t arithmetic() { return bench.flags().value() & Flags::kArithmetic; }
    Bench bench{0, Isa::i686};
};

// The operand is read whatever the condition.
TEST_F(I686, CmovReadsItsOperandEvenIfItDoesNotMove) {
    bench.regs()[ebx] = 0x4000'0000;
    bench.flags().set(Flags::kZero);
    EXPECT_EQ(run("cmovne eax, [ebx]"), StopReason::failed);
    EXPECT_NE(bench.complaint().find("neither memory nor a device"), std::string::npos);
}

TEST_F(I686, NopsTouchNoMemoryAndRdsspKeepsItsRegister) {
    bench.regs()[eax] = 0x4000'0000;
    const Registers before = bench.regs();
    ASSERT_EQ(run(".byte 0x0f,0x1f,0x84,0,0,0,0,0; .byte 0xf3,0x0f,0x1e,0xfb;"
                  ".byte 0xf3,0x0f,0x1e,0xc8; .byte 0x66,0x0f,0x1f,0x44,0,0"),
              StopReason::halted)
        << bench.complaint();
    EXPECT_EQ(bench.regs().r, before.r);
}

// Greater, less, equal, unordered, as ZF PF CF. OF, SF and AF are cleared, as a host does.
TEST_F(I686, FcomiSetsTheProcessorsFlags) {
    const struct {
        const char* operands;
        std::uint32_t flags;
    } cases[] = {{"fldz; fld1;", 0},
                 {"fld1; fldz;", Flags::kCarry},
                 {"fld1; fld1;", Flags::kZero},
                 {"fld1; fldz; fldz; fdivp;", Flags::kZero | Flags::kParity | Flags::kCarry}};
    for (const char* const compare :
         {"fcomi st, st(1)", "fcomip st, st(1)", "fucomi st, st(1)", "fucomip st, st(1)"})
        for (const auto& c : cases) {
            bench.flags().set(Flags::kArithmetic);
            ASSERT_EQ(run("fninit;" + std::string(c.operands) + compare), StopReason::halted);
            EXPECT_EQ(arithmetic(), c.flags) << c.operands << compare;
            const bool pops = std::string(compare).find("ip") != std::string::npos;
            EXPECT_EQ(std::as_const(bench.processor).fpu().top, pops ? 7u : 6u) << compare;
        }
}

// An unmasked invalid operation leaves the flags, and pops nothing.
TEST_F(I686, ARefusedFcomiLeavesTheFlags) {
    bench.memory.write(Bench::kData, 2, 0x37e);
    bench.regs()[ebx] = Bench::kData;
    bench.flags().set(Flags::kSign);
    ASSERT_EQ(run("fninit; fld1; fldz; fldz; fdivp; fnclex; fldcw [ebx]; fcomip st, st(1)"),
              StopReason::halted);
    EXPECT_EQ(arithmetic(), +Flags::kSign);
    EXPECT_EQ(std::as_const(bench.processor).fpu().top, 6u);
}

// The processor waits for the flags, which are the result. Of fcom it does not: 8 clocks.
TEST_F(I686, TheClocksAreThoseOfTheNearestOlderInstruction) {
    const auto clocks = [&](const std::string& source) {
        return bench.clocks(assemble({source})[0]);
    };
    bench.regs()[ebx] = Bench::kData;
    EXPECT_EQ(clocks("cmove eax, ecx"), 2u);
    EXPECT_EQ(clocks("cmovne eax, [ebx]"), 4u);
    EXPECT_EQ(clocks(".byte 0x0f, 0x1f, 0x00"), 3u);
    const std::string idle = "fninit; fld1; fld1; fwait;";
    EXPECT_EQ(clocks(idle + "fcomi st, st(1)") - clocks(idle), 24u);
    EXPECT_EQ(clocks(idle + "fcmove st, st(1)") - clocks(idle), 8u);
    EXPECT_EQ(clocks("cmpxchg8b [ebx]"), 10u);
    EXPECT_EQ(clocks("cpuid"), 14u);
    EXPECT_EQ(clocks("rdtsc"), 6u);
}

}  // namespace
}  // namespace symsim::test
