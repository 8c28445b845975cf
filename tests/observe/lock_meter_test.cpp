// SPDX-License-Identifier: MIT
#include "sim/observe/lock_meter.h"

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

constexpr Address kLock = 0x1040;
constexpr auto kAttempt = ProbeKind::lock_attempt;
constexpr auto kAcquired = ProbeKind::lock_acquired;
constexpr auto kRelease = ProbeKind::lock_release;

std::string symbol_of(Address address) {
    return address == kLock ? "counter_lock" : "";
}

TEST(LockMeter, MeasuresWaitFromAttemptAndHoldFromAcquisition) {
    LockMeter meter;
    tell(meter, 0,
         {probe(1 * kUs, kAttempt, kLock), probe(4 * kUs, kAcquired, kLock),
          probe(9 * kUs, kRelease, kLock), probe(10 * kUs, kAttempt, kLock)});
    tell(meter, 0, {probe(11 * kUs, kAcquired, kLock), probe(18 * kUs, kRelease, kLock)});
    meter.close(20 * kUs);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks.size(), 1u);
    EXPECT_EQ(locks[0].name, "counter_lock");
    const LockTimes& t = locks[0].all;
    EXPECT_EQ(t.attempts, 2u);
    EXPECT_EQ(t.acquisitions, 2u);
    EXPECT_EQ(t.releases, 2u);
    EXPECT_EQ(t.waits.sum, 4 * kUs);
    EXPECT_EQ(t.waits.longest, 3 * kUs);
    EXPECT_EQ(t.holds.sum, 12 * kUs);
    EXPECT_EQ(t.holds.longest, 7 * kUs);
    EXPECT_EQ(t.open_wait, 0);
    EXPECT_EQ(t.open_hold, 0);
}

TEST(LockMeter, MarksOfDifferentProcessorsMayComeOutOfOrder) {
    LockMeter meter;
    tell(meter, 1, {probe(6 * kUs, kAttempt, kLock), probe(9 * kUs, kAcquired, kLock)});
    tell(meter, 0,
         {probe(1 * kUs, kAttempt, kLock), probe(3 * kUs, kAcquired, kLock),
          probe(8 * kUs, kRelease, kLock)});
    tell(meter, 1, {probe(10 * kUs, kRelease, kLock)});
    meter.close(10 * kUs);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks.size(), 1u);
    ASSERT_EQ(locks[0].processors.size(), 2u);
    EXPECT_EQ(locks[0].processors[0].first, 0u);
    EXPECT_EQ(locks[0].processors[0].second.waits.sum, 2 * kUs);
    EXPECT_EQ(locks[0].processors[0].second.holds.sum, 5 * kUs);
    EXPECT_EQ(locks[0].processors[1].second.waits.sum, 3 * kUs);
    EXPECT_EQ(locks[0].processors[1].second.holds.sum, 1 * kUs);
    EXPECT_EQ(locks[0].all.waits.longest, 3 * kUs);
    EXPECT_EQ(locks[0].all.holds.sum, 6 * kUs);
}

TEST(LockMeter, NestedLocksOfTwoProcessorsAreMeasuredSeparately) {
    constexpr Address kInner = 0x2040;
    LockMeter meter;
    for (const ProcessorId p : {0u, 1u}) {
        const Time at = p * 100 * kUs;
        tell(meter, p,
             {probe(at, kAttempt, kLock), probe(at + kUs, kAcquired, kLock),
              probe(at + 2 * kUs, kAttempt, kInner)});
    }
    for (const ProcessorId p : {0u, 1u}) {
        const Time at = p * 100 * kUs;
        tell(meter, p,
             {probe(at + (5 + p) * kUs, kAcquired, kInner), probe(at + 9 * kUs, kRelease, kInner),
              probe(at + (10 + p) * kUs, kRelease, kLock)});
    }
    meter.close(200 * kUs);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks.size(), 2u);
    for (const ProcessorId p : {0u, 1u}) {
        const LockTimes& outer = locks[0].processors[p].second;
        const LockTimes& inner = locks[1].processors[p].second;
        EXPECT_EQ(outer.waits.sum, 1 * kUs);
        EXPECT_EQ(outer.holds.sum, (9 + p) * kUs);
        EXPECT_EQ(inner.waits.sum, (3 + p) * kUs);
        EXPECT_EQ(inner.holds.sum, (4 - p) * kUs);
    }
}

TEST(LockMeter, OpenWaitsAndHoldsAreReportedSeparately) {
    LockMeter meter;
    tell(meter, 0, {probe(1 * kUs, kAttempt, kLock), probe(3 * kUs, kAcquired, kLock)});
    tell(meter, 1, {probe(4 * kUs, kAttempt, kLock)});
    meter.close(10 * kUs);
    const LockTimes all = meter.report(symbol_of)[0].all;
    EXPECT_EQ(all.holds.sum, 0);
    EXPECT_EQ(all.open_hold, 7 * kUs);
    EXPECT_EQ(all.waits.sum, 2 * kUs);
    EXPECT_EQ(all.open_wait, 6 * kUs);
}

TEST(LockMeter, ReleaseByAnotherProcessorIsCountedButNotTimed) {
    LockMeter meter;
    tell(meter, 0, {probe(1 * kUs, kAcquired, kLock)});  // without lock_attempt
    tell(meter, 1, {probe(2 * kUs, kRelease, kLock)});
    meter.close(5 * kUs);
    const auto lock = meter.report(symbol_of)[0];
    EXPECT_EQ(lock.all.releases, 1u);
    EXPECT_EQ(lock.all.holds.count, 0u);
    EXPECT_EQ(lock.all.waits.count, 0u);
    EXPECT_EQ(lock.all.holds.sum, 0);
    EXPECT_EQ(lock.processors[0].second.open_hold, 4 * kUs);
}

TEST(LockMeter, LocksAreSortedByAddressAndNamedBySymbolOrAddress) {
    LockMeter meter;
    tell(meter, 0, {probe(1, kAttempt, 0x2000), probe(2, kAttempt, kLock), probe(3, kAttempt, 0)});
    meter.close(9);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks.size(), 3u);
    EXPECT_EQ(locks[0].name, "0x00000000");
    EXPECT_EQ(locks[1].name, "counter_lock");
    EXPECT_EQ(locks[2].name, "0x00002000");
    EXPECT_EQ(meter.report(nullptr)[1].name, "0x00001040");
}

TEST(LockMeter, OtherMarksAreIgnored) {
    LockMeter meter;
    tell(meter, 0,
         {change(1, Activity::spin), probe(2, ProbeKind::thread_create, kLock),
          probe(3, ProbeKind::region_begin, kLock)});
    meter.close(9);
    EXPECT_TRUE(meter.report(symbol_of).empty());
}

// Process 5 attempts the lock on processor 0, and acquires it on processor 1. Meanwhile process 6
// uses the same lock on processor 0.
TEST(LockMeter, WaitsAndHoldsFollowAProcess) {
    LockMeter meter;
    tell(meter, 0,
         {probe(0, ProbeKind::process_run, 5), probe(1 * kUs, kAttempt, kLock),
          probe(3 * kUs, ProbeKind::process_preempt, 5), probe(3 * kUs, ProbeKind::process_run, 6),
          probe(4 * kUs, kAttempt, kLock), probe(5 * kUs, kAcquired, kLock)});
    tell(meter, 1, {probe(8 * kUs, ProbeKind::process_run, 5)});
    EXPECT_EQ(meter.awaited(1), kLock);
    EXPECT_EQ(meter.awaited(0), std::nullopt);
    tell(meter, 0, {probe(9 * kUs, kRelease, kLock)});
    tell(meter, 1, {probe(10 * kUs, kAcquired, kLock)});
    tell(meter, 1, {probe(11 * kUs, ProbeKind::process_block, 5)});
    meter.close(20 * kUs);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks.size(), 1u);
    ASSERT_EQ(locks[0].processors.size(), 2u);
    const LockTimes& first = locks[0].processors[0].second;
    const LockTimes& second = locks[0].processors[1].second;
    EXPECT_EQ(first.attempts, 2u);
    EXPECT_EQ(first.waits.sum, 1 * kUs);
    EXPECT_EQ(first.holds.sum, 4 * kUs);
    EXPECT_EQ(first.open_hold, 0);
    EXPECT_EQ(second.waits.sum, 9 * kUs);
    EXPECT_EQ(second.open_hold, 10 * kUs);
}

TEST(LockMeter, ALockOfKernelCodeBelongsToTheProcessor) {
    LockMeter meter;
    Mark acquired = probe(1 * kUs, kAcquired, kLock), release = probe(6 * kUs, kRelease, kLock);
    acquired.activity = release.activity = Activity::kernel;
    tell(
        meter, 0,
        {probe(0, ProbeKind::process_run, 5), acquired, probe(3 * kUs, ProbeKind::process_yield, 5),
         probe(3 * kUs, ProbeKind::process_run, 6), release});
    meter.close(9 * kUs);
    const auto locks = meter.report(symbol_of);
    EXPECT_EQ(locks[0].all.holds.sum, 5 * kUs);
    EXPECT_EQ(locks[0].all.open_hold, 0);
}

// A process may wait on a processor where it has passed no probe point of the lock.
TEST(LockMeter, StallsAreEnteredByProcessor) {
    LockMeter meter;
    tell(meter, 2, {probe(0, kAttempt, kLock)});
    meter.close(9 * kUs);
    const ByLock<Time> stalls = {{{kLock, 1}, 20}, {{kLock, 2}, 300}, {{kLock + 4, 0}, 4'000}};
    meter.enter(stalls, &LockTimes::waited_for_preempted_holder);
    const auto locks = meter.report(symbol_of);
    ASSERT_EQ(locks[0].processors.size(), 2u);
    EXPECT_EQ(locks[0].processors[0].first, 1u);
    EXPECT_EQ(locks[0].processors[0].second.waited_for_preempted_holder, 20);
    EXPECT_EQ(locks[0].processors[1].second.waited_for_preempted_holder, 300);
    EXPECT_EQ(locks[0].all.waited_for_preempted_holder, 320);
}

}  // namespace
}  // namespace symsim
