// SPDX-License-Identifier: MIT
#include "sim/debug/stop_points.h"

#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

constexpr Address kHere = 0x1000, kThere = 0x2000;
constexpr auto kSoftware = Stop::Breakpoint::software, kHardware = Stop::Breakpoint::hardware;

class StopPointsTest : public testing::Test {
  protected:
    // The processor is about to begin the instruction at `eip`, and has completed `instructions`.
    std::optional<Stop> begins(Bench& bench, std::uint64_t instructions, Address eip) {
        bench.processor.context().instructions = instructions;
        bench.processor.context().eip = eip;
        return stops.at_begin(bench.processor);
    }
    void resume(Resume how) {
        stops.stopped(first.processor);
        stops.resume(first.processor, how);
    }
    StopPoints stops;
    Bench first;
};

TEST_F(StopPointsTest, ABreakpointStopsAProcessorThatReachesIt) {
    stops.insert(kSoftware, kHere);
    EXPECT_FALSE(begins(first, 1, kThere));
    const auto stop = begins(first, 2, kHere);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->why, Stop::Why::breakpoint);
    stops.remove(kSoftware, kHere);
    resume(Resume::proceed);
    EXPECT_FALSE(begins(first, 9, kHere));
}

TEST_F(StopPointsTest, AResumedProcessorPassesItsBreakpointOnce) {
    stops.insert(kSoftware, kHere);
    ASSERT_TRUE(begins(first, 5, kHere));
    resume(Resume::proceed);
    EXPECT_FALSE(begins(first, 5, kHere)) << "the same instruction, asked again";
    EXPECT_TRUE(begins(first, 6, kHere)) << "round a loop";
}

TEST_F(StopPointsTest, BreakpointsAreLinearAddresses) {
    stops.insert(kSoftware, kHere);
    first.processor.system().segments[cs].base = 0x800;
    EXPECT_FALSE(begins(first, 1, kHere));
    EXPECT_TRUE(begins(first, 2, kHere - 0x800));
}

TEST_F(StopPointsTest, ToInsertTwiceIsToInsertOnce) {
    for (int twice = 0; twice < 2; ++twice) {
        stops.insert(kSoftware, kHere);
        stops.watch(Stop::Watch::write, kThere, kThere, 4);
    }
    stops.remove(kSoftware, kHere);
    stops.unwatch(Stop::Watch::write, kThere, 4);
    stops.accessed(0, kThere, 4, true);
    EXPECT_FALSE(begins(first, 1, kHere));
    stops.remove(kSoftware, kHere);
    stops.unwatch(Stop::Watch::write, kThere, 4);
}

TEST_F(StopPointsTest, HardwareBreakpointsAreReportedAsSuch) {
    stops.insert(kHardware, kHere);
    stops.remove(kSoftware, kHere);
    const auto stop = begins(first, 1, kHere);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->breakpoint, kHardware);
    stops.insert(kSoftware, kThere);
    EXPECT_EQ(begins(first, 2, kThere)->breakpoint, kSoftware);
}

TEST_F(StopPointsTest, AHitOfAWatchpointThatIsGoneIsForgotten) {
    stops.watch(Stop::Watch::write, kThere, kThere, 4);
    stops.accessed(0, kThere, 4, true);
    stops.unwatch(Stop::Watch::write, kThere, 4);
    EXPECT_FALSE(begins(first, 1, kHere));
    stops.watch(Stop::Watch::write, kThere, kThere, 4);
    EXPECT_FALSE(begins(first, 2, kHere)) << "it was hit before it was set";
}

TEST_F(StopPointsTest, AStepEndsAfterTheInstruction) {
    EXPECT_FALSE(begins(first, 5, kHere));
    resume(Resume::step);
    EXPECT_FALSE(begins(first, 5, kHere)) << "a string instruction has more to do";
    const auto stop = begins(first, 6, kHere + 2);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->why, Stop::Why::step);
    resume(Resume::proceed);
    EXPECT_FALSE(begins(first, 7, kHere + 4)) << "that was one step";
}

TEST_F(StopPointsTest, AWatchpointStopsAfterTheAccess) {
    stops.watch(Stop::Watch::write, kHere, kThere, 4);
    stops.accessed(0, kThere + 3, 1, true);
    const auto stop = begins(first, 1, 0);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->why, Stop::Why::watchpoint);
    EXPECT_EQ(stop->address, kHere) << "as it was set";
    EXPECT_FALSE(begins(first, 2, 0)) << "told once";
}

TEST_F(StopPointsTest, AWatchpointWatchesItsBytesForItsKindOfAccess) {
    stops.watch(Stop::Watch::write, kHere, kHere, 4);
    stops.watch(Stop::Watch::read, kThere, kThere, 2);
    stops.accessed(0, kHere, 4, false);
    stops.accessed(0, kHere + 4, 4, true);
    stops.accessed(0, kHere - 4, 4, true);
    stops.accessed(0, kThere, 2, true);
    EXPECT_FALSE(begins(first, 1, 0));
    stops.accessed(0, kThere + 1, 1, false);
    EXPECT_TRUE(begins(first, 2, 0));
    stops.unwatch(Stop::Watch::read, kThere, 2);
    stops.accessed(0, kThere + 1, 1, false);
    EXPECT_FALSE(begins(first, 3, 0));
    stops.watch(Stop::Watch::access, kThere, kThere, 2);
    stops.accessed(0, kThere, 2, true);
    EXPECT_TRUE(begins(first, 4, 0));
}

}  // namespace
}  // namespace symsim::test
