// SPDX-License-Identifier: MIT
#include "sim/observe/call_meter.h"

#include "sim/events/probe_point.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::probe;
using testing::tell;
using Kind = ProbeKind;

Time part(const CallMeter& meter, CallPart part) {
    return meter.report().parts[index(part)].sum;
}

TEST(CallMeter, EachProbePointEndsThePartBefore) {
    CallMeter meter(2);
    tell(meter, 0,
         {probe(10 * kUs, Kind::call_begin, 0), probe(13 * kUs, Kind::call_sent, 0),
          probe(20 * kUs, Kind::call_poll, 0), probe(21 * kUs, Kind::call_poll, 0),
          probe(23 * kUs, Kind::answer_received, 0), probe(28 * kUs, Kind::answer_dispatch, 0),
          probe(29 * kUs, Kind::call_end, 0)});
    tell(meter, 1,
         {probe(11 * kUs, Kind::call_poll, 0), probe(13 * kUs, Kind::call_received, 0),
          probe(14 * kUs, Kind::call_dispatch, 0), probe(16 * kUs, Kind::call_served, 0),
          probe(17 * kUs, Kind::call_answer, 0), probe(21 * kUs, Kind::call_answered, 0),
          probe(26 * kUs, Kind::call_poll, 0)});
    meter.close(30 * kUs);
    EXPECT_EQ(meter.report().calls, 1u);
    EXPECT_EQ(meter.report().served, 1u);
    EXPECT_EQ(part(meter, CallPart::client_send), 3 * kUs);
    EXPECT_EQ(part(meter, CallPart::client_poll), 2 * kUs) << "the poll that has found it";
    EXPECT_EQ(part(meter, CallPart::client_receive), 5 * kUs);
    EXPECT_EQ(part(meter, CallPart::client_dispatch), (7 + 1) * kUs);
    EXPECT_EQ(part(meter, CallPart::server_poll), 2 * kUs);
    EXPECT_EQ(part(meter, CallPart::server_receive), 1 * kUs);
    EXPECT_EQ(part(meter, CallPart::server_dispatch), (2 + 5) * kUs);
    EXPECT_EQ(part(meter, CallPart::server_send), 4 * kUs);
    EXPECT_EQ(part(meter, CallPart::idle), (1 + 4) * kUs) << "one poll, and the last one";
    EXPECT_EQ(part(meter, CallPart::other), (10 + 1 + 11 + 1) * kUs);
}

TEST(CallMeter, APollEndsWithTheThreadThatAnotherProcessorHasMadeReady) {
    CallMeter meter(1);
    tell(meter, 0,
         {probe(0, Kind::call_poll, 0), probe(4 * kUs, Kind::thread_resume, 0),
          probe(7 * kUs, Kind::call_end, 0)});
    meter.close(7 * kUs);
    EXPECT_EQ(part(meter, CallPart::idle), 4 * kUs);
    EXPECT_EQ(part(meter, CallPart::client_dispatch), 3 * kUs);
}

TEST(CallMeter, AThreadThatIsResumedOtherwiseBelongsToNoCall) {
    CallMeter meter(1);
    tell(meter, 0, {probe(2 * kUs, Kind::thread_resume, 0), probe(3 * kUs, Kind::thread_start, 0)});
    meter.close(5 * kUs);
    EXPECT_EQ(part(meter, CallPart::other), 5 * kUs);
}

TEST(CallMeter, AProcessorThatLeavesItsSpaceIsInNoPart) {
    CallMeter meter(1);
    tell(meter, 0,
         {probe(0, Kind::call_sent, 0), probe(2 * kUs, Kind::process_yield, 0),
          probe(3 * kUs, Kind::process_run, 1), probe(6 * kUs, Kind::call_poll, 0)});
    meter.close(6 * kUs);
    EXPECT_EQ(part(meter, CallPart::client_dispatch), 2 * kUs);
    EXPECT_EQ(part(meter, CallPart::other), 4 * kUs);
}

}  // namespace
}  // namespace symsim
