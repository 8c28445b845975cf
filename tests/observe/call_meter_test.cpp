// SPDX-License-Identifier: MIT
// The parts of calls, each calculated by hand from the list of events.
#include "sim/observe/call_meter.h"

#include <gtest/gtest.h>

#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

constexpr Address kCall = 0x4000, kAnswer = 0x4400;

Time us(const CallMeter& meter, CallPart part) {
    return meter.report().parts[index(part)].sum / kUs;
}
std::uint64_t times(const CallMeter& meter, CallPart part) {
    return meter.report().parts[index(part)].count;
}

TEST(CallMeter, DividesTheTimeOfAClientAndOfItsServer) {
    CallMeter meter(2);
    tell(meter, 0,
         {probe(10 * kUs, ProbeKind::call_begin, 1), probe(28 * kUs, ProbeKind::call_sent, kCall),
          probe(30 * kUs, ProbeKind::call_poll, 0), probe(50 * kUs, ProbeKind::call_poll, 0),
          probe(56 * kUs, ProbeKind::answer_received, kAnswer),
          probe(66 * kUs, ProbeKind::answer_dispatch, 0), probe(84 * kUs, ProbeKind::call_end, 1)});
    tell(meter, 1,
         {probe(0, ProbeKind::call_poll, 0), probe(31 * kUs, ProbeKind::call_received, kCall),
          probe(40 * kUs, ProbeKind::call_dispatch, 0), probe(60 * kUs, ProbeKind::call_served, 0),
          probe(61 * kUs, ProbeKind::call_answer, 0),
          probe(74 * kUs, ProbeKind::call_answered, kAnswer),
          probe(79 * kUs, ProbeKind::call_poll, 0)});
    meter.close(100 * kUs);
    EXPECT_EQ(us(meter, CallPart::client_send), 18);
    EXPECT_EQ(us(meter, CallPart::client_poll), 6);
    EXPECT_EQ(us(meter, CallPart::client_receive), 10);
    EXPECT_EQ(us(meter, CallPart::client_dispatch), 2 + 18);
    EXPECT_EQ(us(meter, CallPart::server_poll), 31);
    EXPECT_EQ(us(meter, CallPart::server_receive), 9);
    EXPECT_EQ(us(meter, CallPart::server_dispatch), 20 + 5);
    EXPECT_EQ(us(meter, CallPart::server_send), 13);
    EXPECT_EQ(us(meter, CallPart::idle), 20 + 21);
    EXPECT_EQ(us(meter, CallPart::other), 10 + 16 + 1);
    EXPECT_EQ(meter.report().calls, 1u);
    EXPECT_EQ(meter.report().served, 1u);
    EXPECT_EQ(times(meter, CallPart::client_dispatch), 2u);
}

// A thread may become ready while its processor looks for messages: then the poll has found none.
TEST(CallMeter, APollThatFindsNoMessageIsIdle) {
    CallMeter meter(1);
    tell(meter, 0,
         {probe(2 * kUs, ProbeKind::call_poll, 0), probe(9 * kUs, ProbeKind::thread_resume, 7),
          probe(10 * kUs, ProbeKind::call_end, 1), probe(20 * kUs, ProbeKind::call_poll, 0),
          probe(25 * kUs, ProbeKind::thread_start, 7), probe(29 * kUs, ProbeKind::call_served, 0),
          probe(30 * kUs, ProbeKind::thread_resume, 8)});
    meter.close(40 * kUs);
    EXPECT_EQ(us(meter, CallPart::idle), 7 + 5);
    EXPECT_EQ(us(meter, CallPart::client_dispatch), 1);
    EXPECT_EQ(us(meter, CallPart::server_dispatch), 4);
    EXPECT_EQ(us(meter, CallPart::client_poll) + us(meter, CallPart::server_poll), 0);
    EXPECT_EQ(us(meter, CallPart::other), 2 + 10 + 11) << "a thread that continues ends no part";
}

TEST(CallMeter, ANewThreadOfTheClientIsNoPartOfACall) {
    CallMeter meter(1);
    tell(meter, 0,
         {probe(0, ProbeKind::call_begin, 1), probe(5 * kUs, ProbeKind::call_sent, kCall),
          probe(7 * kUs, ProbeKind::thread_start, 8), probe(90 * kUs, ProbeKind::call_begin, 1)});
    meter.close(90 * kUs);
    EXPECT_EQ(us(meter, CallPart::client_dispatch), 2);
    EXPECT_EQ(us(meter, CallPart::other), 83);
}

TEST(CallMeter, AMoveToAnotherSpaceEndsAPart) {
    for (const ProbeKind leaves :
         {ProbeKind::process_yield, ProbeKind::process_preempt, ProbeKind::process_exit}) {
        CallMeter meter(1);
        tell(meter, 0, {probe(0, ProbeKind::call_begin, 1), probe(3 * kUs, leaves, 0)});
        tell(meter, 0, {change(4 * kUs, Activity::kernel), probe(5 * kUs, leaves, 1)});
        meter.close(9 * kUs);
        EXPECT_EQ(us(meter, CallPart::client_send), 3);
        EXPECT_EQ(us(meter, CallPart::other), 6);
    }
}

TEST(CallMeter, TheSamePartInTwoCallsIsTwoSpans) {
    CallMeter meter(1);
    tell(meter, 0,
         {probe(0, ProbeKind::call_begin, 1), probe(4 * kUs, ProbeKind::call_sent, kCall),
          probe(9 * kUs, ProbeKind::call_begin, 1), probe(16 * kUs, ProbeKind::call_sent, kCall)});
    meter.close(16 * kUs);
    const Spans& send = meter.report().parts[index(CallPart::client_send)];
    EXPECT_EQ(send.count, 2u);
    EXPECT_EQ(send.sum, 11 * kUs);
    EXPECT_EQ(send.longest, 7 * kUs);
}

}  // namespace
}  // namespace symsim
