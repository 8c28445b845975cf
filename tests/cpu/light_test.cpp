// SPDX-License-Identifier: MIT
// A load that follows other light instructions faults where it would fault by itself.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

constexpr Address kOperand = 0x20'6000;
constexpr std::uint32_t kDatum = 0x1234'5678;
constexpr std::uint32_t kUser = 4;

class LightLoad : public testing::Test {
  protected:
    LightLoad() {
        bench.memory.write(kOperand, 4, kDatum);
        bench.regs()[esi] = kOperand;
    }
    Segment& data() { return bench.processor.system().segments[ds]; }
    // With code and operand in the cache, and the operand's page in the TLB.
    void warm() {
        ASSERT_EQ(bench.run(code), Pause::halted) << bench.complaint();
        ASSERT_EQ(bench.regs()[ebx], kDatum);
        bench.regs()[ebx] = 0;
    }
    // Ahead of the bus, where one light instruction follows the other. A fault has to wait for it.
    bool loads() {
        bench.processor.system_changed();
        Context& context = bench.processor.context();
        context.eip = Bench::kCode;
        context.halted = false;
        static_cast<UnderWay&>(context) = {};
        const Pause why = bench.processor.run(context.time, context.time + kMillisecond);
        EXPECT_EQ(why, Pause::later) << bench.complaint();
        const bool done = bench.regs()[ebx] == kDatum;
        EXPECT_EQ(bench.eip(), Bench::kCode + (done ? 5 : 2)) << "at the hlt, or at the load";
        return done;
    }

    const Bytes code = assemble({"inc eax; inc eax; mov ebx, [esi]; inc eax; hlt"})[0];
    Bench bench;
};

TEST_F(LightLoad, is_made_where_it_is_allowed) {
    warm();
    EXPECT_TRUE(loads());
}

TEST_F(LightLoad, faults_in_ring_3_on_a_page_of_ring_0) {
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

TEST_F(LightLoad, faults_beyond_the_limit_of_its_segment) {
    warm();
    data().limit = kOperand + 2;
    EXPECT_FALSE(loads());
    data().limit = kOperand + 3;
    EXPECT_TRUE(loads());
}

TEST_F(LightLoad, faults_below_the_limit_of_a_segment_that_expands_down) {
    warm();
    data().access |= 4;
    data().limit = kOperand + 0x100;
    EXPECT_FALSE(loads());
}

TEST_F(LightLoad, faults_in_code_that_may_not_be_read) {
    warm();
    data().access = kReadExecuteCode & ~2;
    EXPECT_FALSE(loads());
}

TEST_F(LightLoad, faults_without_a_segment) {
    warm();
    data().access &= 0x7f;
    EXPECT_FALSE(loads());
}

}  // namespace
}  // namespace symsim::test
