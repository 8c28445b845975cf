// SPDX-License-Identifier: MIT
// CoreState: when a processor stops, and what an instruction under way leaves behind.
#include "sim/cpu/state/core_state.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

class CoreStateTest : public testing::Test {
  protected:
    static constexpr Time kPeriod = 50;
    CoreState core{0, kPeriod, Isa::i386};
};

TEST_F(CoreStateTest, StopsAtTheLimitIfNothingNeedsAttention) {
    core.set_stop();
    core.set_limit(1000);
    EXPECT_EQ(core.stop, 1000);
    core.set_limit(2000);
    EXPECT_EQ(core.stop, 2000);
}

TEST_F(CoreStateTest, AnInterruptStopsBeforeEachInstructionUntilItIsTaken) {
    core.context.flags.system |= Flags::kInterrupt;
    core.line = true;
    core.set_stop();
    EXPECT_EQ(core.stop, CoreState::kCheckAlways);
    core.set_limit(1000);
    EXPECT_EQ(core.stop, CoreState::kCheckAlways) << "the limit hides the interrupt";
    core.line = false;
    core.set_stop();
    EXPECT_EQ(core.stop, 1000);
}

TEST_F(CoreStateTest, TheLineNeedsTheInterruptFlagAndAnNmiDoesNot) {
    core.line = true;
    EXPECT_FALSE(core.wakes());
    core.nmi = true;
    EXPECT_TRUE(core.wakes());
    core.system.nmi_blocked = true;
    EXPECT_FALSE(core.wakes());
}

TEST_F(CoreStateTest, WhatIsWatchedStopsBeforeEachInstruction) {
    core.limit = 1000;
    core.watched = true;
    core.set_stop();
    EXPECT_FALSE(core.attention());
    EXPECT_EQ(core.stop, CoreState::kCheckAlways);
}

TEST_F(CoreStateTest, IsCommittedUpToCommitTime) {
    core.commit_time = core.context.time = 500;
    EXPECT_TRUE(core.committed());
    core.context.time = 501;
    EXPECT_FALSE(core.committed());
    EXPECT_EQ(core.stop_reason, StopReason::retry);
    EXPECT_EQ(core.next_time, 501);
}

TEST_F(CoreStateTest, OnlyANonSpeculativeAccessIsOutOfTimeAfterCommitTime) {
    core.commit_time = 500;
    core.limit = 1000;
    EXPECT_FALSE(core.out_of_time(999));
    EXPECT_TRUE(core.out_of_time(1000));
    core.execution.non_speculative = true;
    EXPECT_FALSE(core.out_of_time(500));
    EXPECT_TRUE(core.out_of_time(501));
}

// Only a non-speculative instruction makes its loads after its stores.
TEST_F(CoreStateTest, LoadsAreTwoClocksApart) {
    core.execution.loads = 2;
    core.execution.splits = 1;
    core.execution.stores = 1;
    EXPECT_EQ(core.load_offset(), 6 * kPeriod);
    core.execution.non_speculative = true;
    EXPECT_EQ(core.load_offset(), 8 * kPeriod);
}

TEST_F(CoreStateTest, AStorePostedAheadEndsTheRunJustAfterIt) {
    core.set_stop();
    core.set_limit(1000);
    const std::uint64_t before = core.context.changes;
    core.posted_ahead(600);
    EXPECT_EQ(core.limit, 601);
    EXPECT_EQ(core.stop, 601);
    EXPECT_NE(core.context.changes, before) << "a loop with a store would repeat";
}

TEST_F(CoreStateTest, AnAbandonedInstructionKeepsOnlyHowItWasReached) {
    core.context.arrival = Arrival::by_gate;
    core.context.accesses = 3;
    core.context.fetched = kBegun;
    core.context.latched = true;
    core.walk.made = 2;
    core.abandon();
    EXPECT_EQ(core.context.arrival, Arrival::by_gate);
    EXPECT_EQ(core.context.accesses, 0u);
    EXPECT_EQ(core.context.fetched, 0);
    EXPECT_FALSE(core.context.latched);
    EXPECT_EQ(core.walk.made, 0u);
    EXPECT_EQ(core.context.instructions, 0u);
}

TEST_F(CoreStateTest, ACompleteInstructionIsCountedAndReachesTheNextInSequence) {
    core.context.arrival = Arrival::by_branch;
    core.context.fetched = kAllLines;
    core.complete();
    EXPECT_EQ(core.context.instructions, 1u);
    EXPECT_EQ(core.context.arrival, Arrival::in_sequence);
    EXPECT_EQ(core.context.fetched, 0);
}

TEST(CodeWindow, ContainsWholeInstructionsOnly) {
    const CodeWindow window{0x1000, 0x1000, 0x8000, true};
    EXPECT_TRUE(window.contains(0x1fff));
    EXPECT_FALSE(window.contains(0x2000));
    EXPECT_FALSE(window.contains(0xfff)) << "below the window";
    EXPECT_TRUE(window.contains(0x1ffc, 4));
    EXPECT_FALSE(window.contains(0x1ffd, 4));
    EXPECT_FALSE(CodeWindow{}.contains(0)) << "a closed window";
}

TEST(CodeWindow, FindsTheOffsetOfWhatItFindsTheAddressOf) {
    const CodeWindow window{0x1000, 0x1000, 0x8000, true};
    EXPECT_EQ(window.physical_of(0x1234), 0x8234u);
    EXPECT_EQ(window.offset_of(0x8234), 0x1234u);
}

}  // namespace
}  // namespace symsim::test
