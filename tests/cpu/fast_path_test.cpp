// SPDX-License-Identifier: MIT
// Loads and jumps on the fast path: a load raises the same faults as on the slow path, and a jump
// reaches the same target.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

constexpr Address kOperand = 0x20'6000;
constexpr std::uint32_t kDatum = 0x1234'5678;
constexpr std::uint32_t kUser = 4;

class FastPathLoad : public testing::Test {
  protected:
    FastPathLoad() {
        bench.memory.write(kOperand, 4, kDatum);
        bench.regs()[esi] = kOperand;
    }
    Segment& data() { return bench.processor.system().segments[ds]; }
    // Brings the code and the operand into the cache, and the operand's page into the TLB.
    void warm() {
        ASSERT_EQ(bench.run(code), StopReason::halted) << bench.complaint();
        ASSERT_EQ(bench.regs()[ebx], kDatum);
        bench.regs()[ebx] = 0;
    }
    // Executes the code ahead of the bus, so that fast-path instructions follow one another. A
    // fault cannot be raised ahead of the bus: the processor stops before it.
    bool loads() {
        bench.processor.system_changed();
        Context& context = bench.processor.context();
        context.eip = Bench::kCode;
        context.halted = false;
        static_cast<UnderWay&>(context) = {};
        const StopReason stop_reason =
            bench.processor.run(context.time, context.time + kMillisecond);
        EXPECT_EQ(stop_reason, StopReason::retry) << bench.complaint();
        const bool done = bench.regs()[ebx] == kDatum;
        EXPECT_EQ(bench.eip(), Bench::kCode + (done ? 5 : 2)) << "at the hlt, or at the load";
        return done;
    }

    const Bytes code = assemble({"inc eax; inc eax; mov ebx, [esi]; inc eax; hlt"})[0];
    Bench bench;
};

TEST_F(FastPathLoad, ReadsWhereItIsAllowed) {
    warm();
    EXPECT_TRUE(loads());
}

TEST_F(FastPathLoad, FaultsInRing3OnAPageOfRing0) {
    turn_paging_on(bench.memory, bench.processor);
    const Address table = bench.memory.read(bench.processor.system().cr3, 4) & ~0xfffu;
    const Address entry = table + 4 * (kOperand >> 12);
    bench.memory.write(entry, 4, bench.memory.read(entry, 4) & ~kUser);
    warm();
    EXPECT_TRUE(loads());
    bench.regs()[ebx] = 0;
    go_to_ring_3(bench.processor);
    EXPECT_FALSE(loads());
}

TEST_F(FastPathLoad, FaultsBeyondTheLimitOfItsSegment) {
    warm();
    data().limit = kOperand + 2;
    EXPECT_FALSE(loads());
    data().limit = kOperand + 3;
    EXPECT_TRUE(loads());
}

TEST_F(FastPathLoad, FaultsBelowTheLimitOfASegmentThatExpandsDown) {
    warm();
    data().access |= 4;
    data().limit = kOperand + 0x100;
    EXPECT_FALSE(loads());
}

TEST_F(FastPathLoad, FaultsInCodeThatMayNotBeRead) {
    warm();
    data().access = kReadExecuteCode & ~2;
    EXPECT_FALSE(loads());
}

TEST_F(FastPathLoad, FaultsWithoutASegment) {
    warm();
    data().access &= 0x7f;
    EXPECT_FALSE(loads());
}

// The fast path finds a jump's target on another page if that target has been decoded before.
TEST(FastPathJump, LeadsToAnotherPage) {
    Bytes code(0x1010, Bench::kHlt);
    const auto put = [&code](std::size_t at, const Bytes& bytes) {
        std::copy(bytes.begin(), bytes.end(), code.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(0, {0xe9, 0xfb, 0x0f, 0, 0});                                      // jmp 0x1000
    put(0x10, {0x40, 0xe9, 0xf2, 0x0f, 0, 0});                             // inc eax; jmp 0x1008
    put(0x1000, {0x90, 0x90, 0x90, 0x42, 0x90, 0x90, 0x90, 0x90});         // ...; inc edx; ...
    put(0x1008, {0x49, 0x0f, 0x85, 0x01, 0xf0, 0xff, 0xff, Bench::kHlt});  // dec ecx; jnz 0x10
    Bench bench;
    bench.regs()[ecx] = 10;
    ASSERT_EQ(bench.run(code), StopReason::halted) << bench.complaint();
    ASSERT_EQ(bench.regs()[eax], 9u);
    // Again with all code decoded and in the cache, so that the fast path never ends before the
    // hlt.
    Context& context = bench.processor.context();
    context.eip = Bench::kCode;
    context.halted = false;
    static_cast<UnderWay&>(context) = {};
    bench.processor.system_changed();
    bench.regs()[ecx] = 10;
    ASSERT_EQ(bench.processor.run(context.time, context.time + kMillisecond), StopReason::retry);
    EXPECT_EQ(bench.eip(), Bench::kCode + 0x100f) << "at the hlt";
    EXPECT_EQ(bench.regs()[eax], 18u);
    EXPECT_EQ(bench.regs()[edx], 2u);
}

}  // namespace
}  // namespace symsim::test
