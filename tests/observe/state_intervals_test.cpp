// SPDX-License-Identifier: MIT
#include "sim/base/activity.h"
#include "sim/observe/transaction_records.h"

#include <gtest/gtest.h>

#include <vector>

namespace symsim {
namespace {

// The intervals that StateIntervals passes on, as text, and then the one still open at `end`.
std::string intervals(const std::vector<std::pair<ProcessorState, Time>>& events, Time end) {
    StateIntervals intervals(3);
    std::string text;
    const auto take = [&](const StateInterval& i) {
        EXPECT_EQ(i.processor, 3u);
        text += std::string(name(i.state)) + " " + std::to_string(i.start) + "-" +
                std::to_string(i.end) + ", ";
    };
    for (const auto& [state, at] : events) intervals.enter(state, at, take);
    intervals.flush_before(end, take);
    const StateInterval open = intervals.open(end);
    return text + std::string(name(open.state)) + " " + std::to_string(open.start) + "-" +
           std::to_string(open.end);
}

TEST(StateIntervalsTest, StartsExecutingAtTimeZero) {
    EXPECT_EQ(intervals({}, 7), "executing 0-7");
}

TEST(StateIntervalsTest, EachStateLastsUntilTheNext) {
    EXPECT_EQ(intervals({{ProcessorState::waiting, 5},
                         {ProcessorState::served, 6},
                         {ProcessorState::executing, 9}},
                        12),
              "executing 0-5, waiting 5-6, served 6-9, executing 9-12");
}

TEST(StateIntervalsTest, StateOfZeroLengthMakesNoInterval) {
    EXPECT_EQ(intervals({{ProcessorState::waiting, 5},
                         {ProcessorState::served, 5},
                         {ProcessorState::executing, 9}},
                        12),
              "executing 0-5, served 5-9, executing 9-12");
    EXPECT_EQ(intervals({{ProcessorState::waiting, 5},
                         {ProcessorState::executing, 5},
                         {ProcessorState::halted, 9}},
                        12),
              "executing 0-9, halted 9-12");
}

TEST(StateIntervalsTest, StateReportedTwiceIsOneInterval) {
    EXPECT_EQ(intervals({{ProcessorState::waiting, 5},
                         {ProcessorState::waiting, 7},
                         {ProcessorState::served, 8}},
                        9),
              "executing 0-5, waiting 5-8, served 8-9");
}

TEST(StateIntervalsTest, ProcessorMayStartInAnotherState) {
    EXPECT_EQ(intervals({{ProcessorState::halted, 0}}, 4), "halted 0-4");
}

TEST(StateIntervalsTest, StateEnteredAtTheEndMakesNoInterval) {
    EXPECT_EQ(intervals({{ProcessorState::waiting, 5}, {ProcessorState::served, 9}}, 9),
              "executing 0-5, waiting 5-9");
}

TEST(StateIntervalsTest, IntervalIsPassedOnAsSoonAsItsEndIsKnown) {
    StateIntervals intervals(0);
    std::vector<Time> ends;
    const auto take = [&](const StateInterval& i) { ends.push_back(i.end); };
    intervals.enter(ProcessorState::waiting, 5, take);
    intervals.flush_before(5, take);
    EXPECT_TRUE(ends.empty());  // another state may still begin at 5
    intervals.flush_before(6, take);
    EXPECT_EQ(ends, std::vector<Time>{5});
    intervals.flush_before(8, take);
    EXPECT_EQ(ends.size(), 1u);
}

}  // namespace
}  // namespace symsim
