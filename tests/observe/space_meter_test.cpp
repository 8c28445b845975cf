// SPDX-License-Identifier: MIT
#include "sim/observe/space_meter.h"

#include "sim/events/probe_point.h"
#include "sim/processor/activity.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;
using Kind = ProbeKind;

Time in(const SpaceTimes& space, Activity activity) {
    return space.activities[index(activity)];
}

TEST(SpaceMeter, TimeBelongsToTheSpaceThatHasTheProcessor) {
    SpaceMeter meter(2, {"client", "server"});
    tell(meter, 0,
         {change(1 * kUs, Activity::kernel), probe(3 * kUs, Kind::process_run, 0),
          change(5 * kUs, Activity::user), probe(9 * kUs, Kind::process_yield, 0),
          probe(10 * kUs, Kind::process_run, 1)});
    tell(meter, 1, {probe(2 * kUs, Kind::process_run, 3)});  // processor 1 in space 1
    meter.close(20 * kUs);
    const auto& spaces = meter.report();
    ASSERT_EQ(spaces.size(), 3u);
    EXPECT_EQ(spaces[0].name, "client");
    EXPECT_EQ(in(spaces[0], Activity::kernel), 2 * kUs);
    EXPECT_EQ(in(spaces[0], Activity::user), 5 * kUs);
    EXPECT_EQ(spaces[0].held(), 7 * kUs);
    EXPECT_EQ(spaces[1].held(), (10 + 18) * kUs);
    EXPECT_EQ(spaces[2].held(), (3 + 2) * kUs) << "in no space yet";
    EXPECT_EQ(spaces[0].donations, 1u);
    EXPECT_EQ(spaces[0].arrivals, 1u);
    EXPECT_EQ(spaces[1].arrivals, 2u);
}

TEST(SpaceMeter, CountsCallsOfTheSpaceInWhichTheyAre) {
    SpaceMeter meter(1, {"client", "server"});
    tell(meter, 0,
         {probe(0, Kind::process_run, 0), probe(kUs, Kind::call_begin, 0),
          probe(2 * kUs, Kind::call_poll, 0), probe(3 * kUs, Kind::process_preempt, 0),
          probe(4 * kUs, Kind::process_run, 1), probe(5 * kUs, Kind::call_poll, 0),
          probe(6 * kUs, Kind::call_received, 0), probe(7 * kUs, Kind::call_served, 0)});
    meter.close(8 * kUs);
    const auto& spaces = meter.report();
    EXPECT_EQ(spaces[0].calls, 1u);
    EXPECT_EQ(spaces[0].polls, 1u);
    EXPECT_EQ(spaces[0].found, 0u);
    EXPECT_EQ(spaces[0].preemptions, 1u);
    EXPECT_EQ(spaces[1].served, 1u);
    EXPECT_EQ(spaces[1].found, 1u);
}

}  // namespace
}  // namespace symsim
