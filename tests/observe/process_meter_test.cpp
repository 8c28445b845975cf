// SPDX-License-Identifier: MIT
// The times of processes, each calculated by hand from the list of events.
#include "sim/observe/process_meter.h"
#include "sim/observe/by_time.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

constexpr Address kLock = 0x1040, kOther = 0x2080;
constexpr auto kAttempt = ProbeKind::lock_attempt;
constexpr auto kAcquired = ProbeKind::lock_acquired;
constexpr auto kRelease = ProbeKind::lock_release;
constexpr auto kReleased = ProbeKind::lock_released;
constexpr auto kCreate = ProbeKind::process_create;
constexpr auto kRun = ProbeKind::process_run;
constexpr auto kPreempt = ProbeKind::process_preempt;
constexpr auto kYield = ProbeKind::process_yield;
constexpr auto kBlock = ProbeKind::process_block;
constexpr auto kWake = ProbeKind::process_wake;
constexpr auto kExit = ProbeKind::process_exit;
constexpr auto kWarn = ProbeKind::process_warn;

// A mark of kernel code.
Mark in_kernel(Time time, ProbeKind kind, std::uint32_t value) {
    Mark mark = probe(time, kind, value);
    mark.activity = Activity::kernel;
    return mark;
}

// The meter, with the order of time in which the Recorder passes marks to it.
class MeterInOrder {
  public:
    explicit MeterInOrder(unsigned processors) : marks_(processors), meter_(processors) {}
    void passed(ProcessorId processor, const Mark& mark) { marks_.add(processor, mark); }
    void reached(Time at) {
        marks_.take_before(at, [&](ProcessorId p, const Mark& mark) { meter_.passed(p, mark); });
    }
    void close(Time end) {
        reached(kNever);
        meter_.close(end);
    }
    std::vector<ProcessTimes> report() const { return meter_.report(); }
    const ByLock<Time>& stalls() const { return meter_.stalls(); }

  private:
    MarksByTime marks_;
    ProcessMeter meter_;
};

std::vector<Time> us(const ProcessTimes& times) {
    std::vector<Time> all;
    for (const Time time : times.states) all.push_back(time / kUs);
    return all;
}
Time in(const ProcessTimes& times, ProcessState state) {
    return times.states[index(state)] / kUs;
}

TEST(ProcessMeter, DividesALifeByAllStates) {
    MeterInOrder meter(1);
    tell(meter, 0,
         {change(0, Activity::kernel),
          probe(1 * kUs, kCreate, 7),
          probe(3 * kUs, kRun, 7),          // ready 2
          change(4 * kUs, Activity::user),  // kernel 1
          probe(9 * kUs, kAttempt, kLock),  // work 5
          change(10 * kUs, Activity::spin),
          probe(16 * kUs, kAcquired, kLock),  // acquire 7
          change(16 * kUs, Activity::critical),
          probe(25 * kUs, kRelease, kLock),    // section 9
          probe(36 * kUs, kReleased, kLock),   // release 11
          change(40 * kUs, Activity::kernel),  // work 4
          probe(53 * kUs, kWarn, 7),
          probe(54 * kUs, kPreempt, 7),  // kernel 14
          probe(70 * kUs, kRun, 7),      // preempted 16
          probe(71 * kUs, kBlock, 7),    // kernel 1
          probe(88 * kUs, kWake, 7),     // blocked 17
          probe(90 * kUs, kRun, 7),      // ready 2
          probe(91 * kUs, kYield, 7),    // kernel 1
          probe(95 * kUs, kRun, 7),      // ready 4
          probe(96 * kUs, kExit, 7)});   // kernel 1
    meter.close(200 * kUs);
    const auto all = meter.report();
    ASSERT_EQ(all.size(), 1u);
    const ProcessTimes& t = all[0];
    EXPECT_EQ(us(t), (std::vector<Time>{9, 7, 9, 11, 18, 16, 8, 17}));
    EXPECT_EQ(t.number, 7u);
    EXPECT_EQ(t.created, 1 * kUs);
    EXPECT_EQ(t.ended, 96 * kUs);
    EXPECT_EQ(t.quanta, 4u);
    EXPECT_EQ(t.preemptions, 1u);
    EXPECT_EQ(t.extensions, 1u);
    EXPECT_EQ(t.yields, 1u);
    EXPECT_EQ(t.blocks, 1u);
    EXPECT_EQ(t.migrations, 0u);
    EXPECT_EQ(t.acquisitions, 1u);
}

TEST(ProcessMeter, WithoutLockReleasedTheTimeAfterAReleaseIsWorkOrSection) {
    MeterInOrder meter(1);
    tell(meter, 0, {probe(0, kCreate, 0), probe(0, kRun, 0)});
    tell(meter, 0, {probe(1 * kUs, kAcquired, kLock), probe(2 * kUs, kAcquired, kOther)});
    tell(meter, 0, {probe(4 * kUs, kRelease, kOther), probe(8 * kUs, kRelease, kLock)});
    tell(meter, 0, {change(10 * kUs, Activity::kernel), change(11 * kUs, Activity::user)});
    tell(meter, 0, {probe(18 * kUs, kAttempt, kLock), probe(20 * kUs, kAcquired, kLock)});
    tell(meter, 0, {probe(21 * kUs, kRelease, kLock)});
    meter.close(30 * kUs);
    const ProcessTimes t = meter.report()[0];
    EXPECT_EQ(in(t, ProcessState::release), 0);
    EXPECT_EQ(in(t, ProcessState::section), 7 + 1);
    EXPECT_EQ(in(t, ProcessState::work), 1 + 9 + 9);
    EXPECT_EQ(in(t, ProcessState::kernel), 1);
    EXPECT_EQ(in(t, ProcessState::acquire), 2);
    EXPECT_EQ(t.ended, kNever);
}

// The process is preempted within the release.
TEST(ProcessMeter, AReleaseGoesOnAfterAPreemption) {
    MeterInOrder meter(2);
    tell(meter, 0, {probe(0, kCreate, 0), probe(0, kRun, 0), probe(5 * kUs, kAcquired, kLock)});
    tell(meter, 0, {probe(6 * kUs, kRelease, kLock), probe(8 * kUs, kPreempt, 0)});
    tell(meter, 1, {probe(20 * kUs, kRun, 0), probe(23 * kUs, kReleased, kLock)});
    meter.close(24 * kUs);
    const ProcessTimes t = meter.report()[0];
    EXPECT_EQ(in(t, ProcessState::release), 2 + 3);
    EXPECT_EQ(in(t, ProcessState::preempted), 12);
    EXPECT_EQ(in(t, ProcessState::work), 5 + 1);
    EXPECT_EQ(t.migrations, 1u);
}

// The events of processor 1 arrive before those of processor 0 that precede them.
TEST(ProcessMeter, TakesMarksInOrderOfTimeThoughTheyArriveInAnother) {
    MeterInOrder meter(2);
    tell(meter, 1, {probe(6 * kUs, kRun, 3), probe(9 * kUs, kExit, 3)});
    tell(meter, 0, {probe(1 * kUs, kCreate, 3), probe(2 * kUs, kRun, 3)});
    tell(meter, 0, {probe(4 * kUs, kPreempt, 3)});
    meter.reached(5 * kUs);
    meter.reached(50 * kUs);
    meter.close(60 * kUs);
    const ProcessTimes t = meter.report()[0];
    EXPECT_EQ(in(t, ProcessState::work), 2 + 3);
    EXPECT_EQ(in(t, ProcessState::preempted), 2);
    EXPECT_EQ(t.ended, 9 * kUs);
}

// The kernel acquires a lock in one process and releases it in another, as xv6 does.
TEST(ProcessMeter, LocksOfTheKernelBelongToNoProcess) {
    MeterInOrder meter(1);
    tell(meter, 0, {probe(0, kCreate, 0), probe(0, kCreate, 1), probe(0, kRun, 0)});
    tell(meter, 0, {change(2 * kUs, Activity::kernel), in_kernel(3 * kUs, kAttempt, kOther)});
    tell(meter, 0, {in_kernel(4 * kUs, kAcquired, kOther), in_kernel(5 * kUs, kPreempt, 0)});
    tell(meter, 0, {in_kernel(6 * kUs, kRun, 1), in_kernel(7 * kUs, kRelease, kOther)});
    tell(meter, 0, {change(8 * kUs, Activity::user)});
    meter.close(10 * kUs);
    const auto all = meter.report();
    EXPECT_EQ(us(all[0]), (std::vector<Time>{2, 0, 0, 0, 3, 5, 0, 0}));
    EXPECT_EQ(us(all[1]), (std::vector<Time>{2, 0, 0, 0, 2, 0, 6, 0}));
    EXPECT_EQ(all[0].acquisitions, 0u);
}

TEST(ProcessMeter, FindsWaitsForAHolderThatIsPreempted) {
    MeterInOrder meter(2);
    tell(meter, 0, {probe(0, kCreate, 0), probe(0, kCreate, 1), probe(0, kRun, 0)});
    tell(meter, 0, {probe(1 * kUs, kAcquired, kLock), probe(10 * kUs, kPreempt, 0)});
    tell(meter, 0, {probe(30 * kUs, kRun, 0), probe(31 * kUs, kRelease, kLock)});
    tell(meter, 1, {probe(1 * kUs, kRun, 1), probe(4 * kUs, kAttempt, kLock)});
    // An interrupt, whose time is the kernel's.
    tell(meter, 1, {change(15 * kUs, Activity::kernel), change(17 * kUs, Activity::spin)});
    tell(meter, 1, {probe(33 * kUs, kAcquired, kLock)});
    meter.close(40 * kUs);
    const ByLock<Time> expected = {{{kLock, 1}, 18 * kUs}};
    EXPECT_EQ(meter.stalls(), expected);
}

// A queue lock: process 1 has been given the lock while it was preempted, and process 2 is behind.
TEST(ProcessMeter, FindsWaitsForTheNextHolderThatIsPreempted) {
    MeterInOrder meter(3);
    for (const std::uint32_t n : {0u, 1u, 2u})
        tell(meter, n, {probe(0, kCreate, n), probe(0, kRun, n)});
    tell(meter, 0, {probe(1 * kUs, kAcquired, kLock), probe(20 * kUs, kRelease, kLock)});
    tell(meter, 1, {probe(2 * kUs, kAttempt, kLock), probe(15 * kUs, kPreempt, 1)});
    tell(meter, 1, {probe(50 * kUs, kRun, 1), probe(51 * kUs, kAcquired, kLock)});
    tell(meter, 2, {probe(3 * kUs, kAttempt, kLock), probe(40 * kUs, kPreempt, 2)});
    tell(meter, 2, {probe(45 * kUs, kRun, 2), probe(90 * kUs, kAcquired, kLock)});
    meter.close(99 * kUs);
    // From the release at 20 us until process 1 runs at 50 us, less 5 us.
    const ByLock<Time> expected = {{{kLock, 2}, 25 * kUs}};
    EXPECT_EQ(meter.stalls(), expected);
}

TEST(ProcessMeterDeath, ChecksThatTheTimesOfAProcessSumToItsLife) {
    ProcessTimes times;
    times.number = 4;
    times.created = 10;
    times.states[index(ProcessState::work)] = 5;
    check_partition(times, 15);
    EXPECT_DEATH(check_partition(times, 16), "process 4 sum to 5 ps, and it existed for 6 ps");
}

}  // namespace
}  // namespace symsim
