// SPDX-License-Identifier: MIT
#include "sim/observe/ledger.h"

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

Time state(const Ledger& ledger, ProcessorId p, ProcessorState s) {
    return ledger.processors()[p].states()[index(s)];
}
Time activity(const Ledger& ledger, ProcessorId p, Activity a) {
    return ledger.processors()[p].activities()[index(a)];
}

TEST(Ledger, ProcessorWithoutEventsBootsToTheEnd) {
    Ledger ledger(1);
    ledger.close(7 * kUs);
    EXPECT_EQ(state(ledger, 0, ProcessorState::executing), 7 * kUs);
    EXPECT_EQ(activity(ledger, 0, Activity::boot), 7 * kUs);
}

TEST(Ledger, StatesAndActivitiesEachPartitionTime) {
    Ledger ledger(1);
    tell(ledger, 0, {change(2 * kUs, Activity::user)});
    ledger.enter(0, ProcessorState::waiting, 3 * kUs);
    ledger.enter(0, ProcessorState::served, 5 * kUs);
    ledger.enter(0, ProcessorState::executing, 6 * kUs);
    tell(ledger, 0, {change(8 * kUs, Activity::spin), change(9 * kUs, Activity::user)});
    ledger.enter(0, ProcessorState::halted, 11 * kUs);
    ledger.close(20 * kUs);

    EXPECT_EQ(state(ledger, 0, ProcessorState::executing), 8 * kUs);  // 0..3 and 6..11
    EXPECT_EQ(state(ledger, 0, ProcessorState::waiting), 2 * kUs);
    EXPECT_EQ(state(ledger, 0, ProcessorState::served), 1 * kUs);
    EXPECT_EQ(state(ledger, 0, ProcessorState::halted), 9 * kUs);
    EXPECT_EQ(activity(ledger, 0, Activity::boot), 2 * kUs);
    EXPECT_EQ(activity(ledger, 0, Activity::user), 17 * kUs);  // 2..8 and 9..20
    EXPECT_EQ(activity(ledger, 0, Activity::spin), 1 * kUs);
    const auto& user = ledger.processors()[0].states_by_activity[index(Activity::user)];
    EXPECT_EQ(user[index(ProcessorState::executing)], 5 * kUs);  // 2..3, 6..8, 9..11
    EXPECT_EQ(user[index(ProcessorState::halted)], 9 * kUs);
    check_partition(0, ledger.processors()[0], 20 * kUs);
}

TEST(Ledger, EventsOfDifferentProcessorsMayComeOutOfOrder) {
    Ledger ledger(2);
    ledger.enter(1, ProcessorState::waiting, 9 * kUs);
    ledger.enter(0, ProcessorState::waiting, 4 * kUs);
    ledger.enter(0, ProcessorState::executing, 5 * kUs);
    ledger.close(10 * kUs);
    EXPECT_EQ(state(ledger, 0, ProcessorState::waiting), 1 * kUs);
    EXPECT_EQ(state(ledger, 1, ProcessorState::waiting), 1 * kUs);
}

TEST(LedgerDeathTest, EventsOfOneProcessorOutOfOrderAbort) {
    Ledger ledger(1);
    tell(ledger, 0, {probe(5 * kUs, ProbeKind::message, 1)});
    EXPECT_DEATH(ledger.enter(0, ProcessorState::waiting, 4 * kUs),
                 "told after an event at 5000000 ps");
}

TEST(LedgerDeathTest, EventAfterTheEndAborts) {
    Ledger ledger(1);
    tell(ledger, 0, {change(5 * kUs, Activity::user)});
    EXPECT_DEATH(ledger.close(5 * kUs - 1), "processor 0: the end of the run at 4999999 ps");
}

// Also for a wait whose transaction was granted before it began, or that has no length.
TEST(Ledger, AWholeWaitIsAccountedAsItsChangesOfState) {
    for (const BusWait wait : {BusWait{3 * kUs, 5 * kUs, 8 * kUs}, BusWait{3 * kUs, kUs, 8 * kUs},
                               BusWait{3 * kUs, 3 * kUs, 3 * kUs}}) {
        Ledger whole(1);
        Ledger parts(1);
        for (Ledger* ledger : {&whole, &parts}) tell(*ledger, 0, {change(kUs, Activity::spin)});
        whole.waited(0, wait);
        for_each_state(wait, [&](ProcessorState state, Time at) { parts.enter(0, state, at); });
        EXPECT_EQ(whole.current(0), parts.current(0));
        whole.close(20 * kUs);
        parts.close(20 * kUs);
        EXPECT_EQ(whole.processors()[0].states_by_activity,
                  parts.processors()[0].states_by_activity);
    }
}

TEST(LedgerDeathTest, AWholeWaitOutOfOrderAborts) {
    Ledger ledger(1);
    ledger.waited(0, {2 * kUs, 3 * kUs, 4 * kUs});
    EXPECT_DEATH(ledger.waited(0, {3 * kUs, 5 * kUs, 6 * kUs}), "told after an event at 4000000");
    EXPECT_DEATH(ledger.waited(0, {5 * kUs, 7 * kUs, 6 * kUs}), "told after an event at 7000000");
    ledger.enter(0, ProcessorState::halted, 5 * kUs);
    EXPECT_DEATH(ledger.waited(0, {6 * kUs, 7 * kUs, 8 * kUs}), "halted and yet waiting");
}

TEST(LedgerDeathTest, HaltedProcessorThatWaitsForTheBusAborts) {
    Ledger ledger(1);
    ledger.enter(0, ProcessorState::halted, kUs);
    EXPECT_DEATH(ledger.enter(0, ProcessorState::waiting, 2 * kUs), "halted and yet waiting");
}

TEST(LedgerDeathTest, CheckPartitionFindsAnImbalance) {
    Ledger ledger(1);
    ledger.close(10);
    ProcessorTimes times = ledger.processors()[0];
    times.states_by_activity[index(Activity::boot)][index(ProcessorState::waiting)] += 1;
    EXPECT_DEATH(check_partition(0, times, 10), "its times sum to 11 ps");
    EXPECT_DEATH(check_partition(0, ledger.processors()[0], 11), "the run took 11 ps");
}

}  // namespace
}  // namespace symsim
