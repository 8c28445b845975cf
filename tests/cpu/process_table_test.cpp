// SPDX-License-Identifier: MIT
#include "sim/cpu/core/process_table.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

using State = ProcessTable::State;

class ProcessTableTest : public ::testing::Test {
  protected:
    // Empty if the probe point is possible.
    std::string pass(ProbeKind kind, std::uint32_t process, ProcessorId processor) {
        return table.pass(kind, process, processor, depth).value_or("");
    }
    void expect_refused(ProbeKind kind, std::uint32_t process, ProcessorId processor,
                        const std::string& why) {
        const std::string text = pass(kind, process, processor);
        EXPECT_NE(text.find(why), std::string::npos) << text;
    }

    ProcessTable table;
    std::uint32_t depth = 0;
};

TEST_F(ProcessTableTest, AProcessLives) {
    EXPECT_EQ(pass(ProbeKind::process_create, 3, 0), "");
    EXPECT_EQ(pass(ProbeKind::process_run, 3, 1), "");
    EXPECT_EQ(table.current(1), 3u);
    EXPECT_EQ(pass(ProbeKind::process_warn, 3, 1), "");
    EXPECT_EQ(pass(ProbeKind::process_preempt, 3, 1), "");
    EXPECT_FALSE(table.current(1));
    EXPECT_EQ(pass(ProbeKind::process_run, 3, 2), "");
    EXPECT_EQ(pass(ProbeKind::process_block, 3, 2), "");
    EXPECT_EQ(table.state(3), State::blocked);
    EXPECT_EQ(pass(ProbeKind::process_wake, 3, 0), "");
    EXPECT_EQ(pass(ProbeKind::process_run, 3, 0), "");
    EXPECT_EQ(pass(ProbeKind::process_yield, 3, 0), "");
    EXPECT_EQ(pass(ProbeKind::process_run, 3, 0), "");
    EXPECT_EQ(pass(ProbeKind::process_exit, 3, 0), "");
    EXPECT_EQ(table.state(3), State::ended);
}

TEST_F(ProcessTableTest, AnImpossibleProbePointIsRefusedWithTheReason) {
    expect_refused(ProbeKind::process_run, 2, 0,
                   "processor 0 passes process_run of process 2, which has not been created");
    pass(ProbeKind::process_create, 2, 0);
    expect_refused(ProbeKind::process_create, 2, 1, "is ready and does not run");
    expect_refused(ProbeKind::process_preempt, 2, 0, "is ready and does not run");
    expect_refused(ProbeKind::process_wake, 2, 0, "it is not blocked");
    pass(ProbeKind::process_run, 2, 0);
    expect_refused(ProbeKind::process_run, 2, 1, "which runs on processor 0");
    expect_refused(ProbeKind::process_preempt, 2, 1, "which runs on processor 0");
    pass(ProbeKind::process_create, 5, 0);
    expect_refused(ProbeKind::process_run, 5, 0, "but it still runs process 2");
    pass(ProbeKind::process_block, 2, 0);
    expect_refused(ProbeKind::process_run, 2, 0, "which is blocked");
    pass(ProbeKind::process_run, 5, 0);
    pass(ProbeKind::process_exit, 5, 0);
    expect_refused(ProbeKind::process_create, 5, 0, "which has ended");
    EXPECT_EQ(table.state(5), State::ended);
}

// Each process keeps the number of its locks, and so does the processor.
TEST_F(ProcessTableTest, TheNumberOfLocksHeldFollowsTheProcess) {
    pass(ProbeKind::process_create, 0, 0);
    pass(ProbeKind::process_create, 1, 0);
    depth = 4;  // of the processor
    pass(ProbeKind::process_run, 0, 0);
    EXPECT_EQ(depth, 0u);
    depth = 2;
    pass(ProbeKind::process_preempt, 0, 0);
    EXPECT_EQ(depth, 4u);
    pass(ProbeKind::process_run, 1, 0);
    EXPECT_EQ(depth, 0u);
    pass(ProbeKind::process_yield, 1, 0);
    std::uint32_t other = 9;  // of another processor
    table.pass(ProbeKind::process_run, 0, 1, other);
    EXPECT_EQ(other, 2u);
    table.pass(ProbeKind::process_exit, 0, 1, other);
    EXPECT_EQ(other, 9u);
}

}  // namespace
}  // namespace symsim
