// SPDX-License-Identifier: MIT
// The times of address spaces, each calculated by hand from the list of events.
#include "sim/observe/space_meter.h"

#include <gtest/gtest.h>

#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

// With two spaces, processor p in space s is process 2 p + s.
constexpr auto kRun = ProbeKind::process_run;
constexpr auto kYield = ProbeKind::process_yield;
constexpr auto kUpcall = ProbeKind::process_upcall;

Time us(const SpaceTimes& space, Activity activity) {
    return space.activities[index(activity)] / kUs;
}

TEST(SpaceMeter, AProcessorCountsForTheSpaceInWhichItIs) {
    SpaceMeter meter(2, {"client", "server"});
    tell(meter, 0,
         {change(2 * kUs, Activity::kernel), probe(5 * kUs, kRun, 0), probe(6 * kUs, kUpcall, 0),
          change(8 * kUs, Activity::user), change(20 * kUs, Activity::kernel),
          probe(23 * kUs, kYield, 0), probe(24 * kUs, kRun, 1), probe(25 * kUs, kUpcall, 1),
          change(26 * kUs, Activity::threads), change(33 * kUs, Activity::kernel),
          probe(34 * kUs, kYield, 1), probe(36 * kUs, kRun, 0), probe(37 * kUs, kUpcall, 2)});
    tell(meter, 1, {probe(1 * kUs, kRun, 3), change(1 * kUs, Activity::idle)});
    meter.close(50 * kUs);
    const SpaceTimes& client = meter.report()[0];
    const SpaceTimes& server = meter.report()[1];
    const SpaceTimes& none = meter.report()[2];
    EXPECT_EQ(client.name, "client");
    EXPECT_EQ(us(client, Activity::kernel), 3 + 4 + 14) << "until the next space has it";
    EXPECT_EQ(us(client, Activity::user), 12);
    EXPECT_EQ(us(server, Activity::kernel), 2 + 3);
    EXPECT_EQ(us(server, Activity::threads), 7);
    EXPECT_EQ(us(server, Activity::idle), 49);
    EXPECT_EQ(us(none, Activity::boot), 2 + 1);
    EXPECT_EQ(us(none, Activity::kernel), 3);
    EXPECT_EQ(client.arrivals, 2u);
    EXPECT_EQ(server.arrivals, 2u);
    EXPECT_EQ(client.donations, 1u);
    EXPECT_EQ(client.upcalls, (std::array<std::uint64_t, 5>{1, 0, 1, 0, 0}));
    EXPECT_EQ(server.upcalls, (std::array<std::uint64_t, 5>{0, 1, 0, 0, 0}));
}

TEST(SpaceMeter, CountsForTheSpaceOfTheProcessor) {
    SpaceMeter meter(1, {"client", "server"});
    tell(meter, 0, {probe(0, kRun, 0), probe(1, ProbeKind::call_begin, 9)});
    tell(meter, 0, {probe(2, ProbeKind::call_poll, 0), probe(3, ProbeKind::call_poll, 0)});
    tell(meter, 0, {probe(4, ProbeKind::answer_received, 9)});
    tell(meter, 0, {probe(5, ProbeKind::process_preempt, 0), probe(6, kRun, 1)});
    tell(meter, 0, {probe(7, ProbeKind::call_received, 9), probe(8, ProbeKind::call_served, 9)});
    meter.close(10);
    const SpaceTimes& client = meter.report()[0];
    const SpaceTimes& server = meter.report()[1];
    EXPECT_EQ(client.calls, 1u);
    EXPECT_EQ(client.polls, 2u);
    EXPECT_EQ(client.found, 1u);
    EXPECT_EQ(client.preemptions, 1u);
    EXPECT_EQ(client.served, 0u);
    EXPECT_EQ(server.served, 1u);
    EXPECT_EQ(server.found, 1u);
    EXPECT_EQ(server.calls, 0u);
}

// A guest may have any number there.
TEST(SpaceMeter, AnUnknownReasonOfAnUpcallIsNotCounted) {
    SpaceMeter meter(1, {"client", "server"});
    tell(meter, 0, {probe(0, kRun, 1), probe(1, kUpcall, 5), probe(2, kUpcall, ~0u)});
    meter.close(3);
    EXPECT_EQ(meter.report()[1].upcalls, (std::array<std::uint64_t, 5>{}));
}

}  // namespace
}  // namespace symsim
