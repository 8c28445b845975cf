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
    std::vector<std::string> sources;
    for (const char* const compare : {"fcomi", "fcomip", "fucomi", "fucomip"})
        for (const auto& c : cases)
            sources.push_back(std::string("fninit;") + c.operands + compare + " st, st(1)");
    const auto code = assemble(sources);
    for (std::size_t n = 0; n < code.size(); ++n) {
        bench.flags().set(Flags::kArithmetic);
        ASSERT_EQ(bench.run(code[n]), StopReason::halted);
        EXPECT_EQ(arithmetic(), cases[n % std::size(cases)].flags) << sources[n];
        const bool pops = sources[n].find("ip") != std::string::npos;
        EXPECT_EQ(std::as_const(bench.processor).fpu().top, pops ? 7u : 6u) << sources[n];
    }
}

// An unmasked invalid operation prevents the pop alone, as on hosts (fpu_host_oracle_test.cpp).
TEST_F(I686, AnUnmaskedExceptionOfFcomipPreventsThePop) {
    bench.memory.write(Bench::kData, 2, 0x37e);
    bench.regs()[ebx] = Bench::kData;
    bench.flags().set(Flags::kSign);
    ASSERT_EQ(run("fninit; fld1; fldz; fldz; fdivp; fnclex; fldcw [ebx]; fcomip st, st(1)"),
              StopReason::halted);
    EXPECT_EQ(arithmetic(), Flags::kZero | Flags::kParity | Flags::kCarry);
    EXPECT_EQ(std::as_const(bench.processor).fpu().top, 6u);
}

// The processor waits for the flags, which are the result. Of fcmov it does not: 8 clocks.
TEST_F(I686, TheClocksAreThoseOfTheNearestOlderInstruction) {
    const std::string idle = "fninit; fld1; fld1; fwait;";
    const auto code = assemble({"cmove eax, ecx", "cmovne eax, [ebx]", ".byte 0x0f, 0x1f, 0x00",
                                idle, idle + "fcomi st, st(1)", idle + "fcmove st, st(1)",
                                "cmpxchg8b [ebx]", "cpuid", "rdtsc"});
    bench.regs()[ebx] = Bench::kData;
    std::vector<unsigned> clocks;
    for (const Bytes& bytes : code) clocks.push_back(bench.clocks(bytes));
    EXPECT_EQ(clocks, (std::vector<unsigned>{2, 4, 3, clocks[3], clocks[3] + 24, clocks[3] + 8, 10,
                                             14, 6}));
}

}  // namespace
}  // namespace symsim::test
