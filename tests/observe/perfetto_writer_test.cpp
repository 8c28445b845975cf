// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_writer.h"

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/probe_point.h"
#include "sim/base/transaction_kind.h"
#include "tests/observe/perfetto_fixture.h"

namespace symsim {
namespace {

using testing::change;
using testing::kLock;
using testing::kUs;
using testing::PerfettoSlice;
using testing::PerfettoTrace;
using testing::PerfettoWriterTest;
using testing::probe;
using testing::Span;
using testing::use;

TEST_F(PerfettoWriterTest, ActivitiesCoverAllTimeAndStatesAllButExecuting) {
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(0, {change(62'500, Activity::user)});
            feed.entered(0, ProcessorState::waiting, 125'000);
            feed.entered(0, ProcessorState::served, 200'001);
            feed.entered(0, ProcessorState::executing, 312'500);
            feed.passed(0, {change(312'500, Activity::spin)});
            feed.entered(0, ProcessorState::halted, 400'000);
        },
        500'001);
    const auto activities = seen.on("processor 0");
    EXPECT_EQ(spans(activities),
              (std::vector<Span>{{0, 62'500}, {62'500, 312'500}, {312'500, 500'001}}));
    EXPECT_EQ(activities[0].name, "boot");
    EXPECT_EQ(activities[2].name, "spin");
    const auto states = seen.on("processor 0/bus");
    EXPECT_EQ(spans(states),
              (std::vector<Span>{{125'000, 200'001}, {200'001, 312'500}, {400'000, 500'001}}));
    EXPECT_EQ(states[0].name, "waiting");
    EXPECT_EQ(states[1].name, "served");
    EXPECT_EQ(states[1].category, "user");
    EXPECT_EQ(states[2].name, "halted");
    EXPECT_EQ(states[2].category, "spin");
    EXPECT_EQ(spans(seen.on("processor 1")), (std::vector<Span>{{0, 500'001}}));
}

// The activity changes while the processor is halted. The engine may report the two in either
// order.
TEST_F(PerfettoWriterTest, StateIsSplitAtAChangeOfActivity) {
    const auto states = trace(
                            [](TraceFeed& feed) {
                                feed.entered(0, ProcessorState::halted, 10'000);
                                feed.passed(0, {change(30'000, Activity::idle)});
                            },
                            50'000)
                            .on("processor 0/bus");
    EXPECT_EQ(spans(states), (std::vector<Span>{{10'000, 30'000}, {30'000, 50'000}}));
    EXPECT_EQ(states[0].category, "boot");
    EXPECT_EQ(states[1].category, "idle");
}

// The engine reports the state served for each store that the processor waits for.
TEST_F(PerfettoWriterTest, StateReportedTwiceIsOneSlice) {
    const auto states = trace(
                            [](TraceFeed& feed) {
                                feed.entered(0, ProcessorState::served, 10'000);
                                feed.entered(0, ProcessorState::served, 20'000);
                                feed.entered(0, ProcessorState::executing, 30'000);
                            },
                            50'000)
                            .on("processor 0/bus");
    EXPECT_EQ(spans(states), (std::vector<Span>{{10'000, 30'000}}));
}

TEST_F(PerfettoWriterTest, BusUseShowsProcessorKindAndAddress) {
    const auto uses = trace(
                          [](TraceFeed& feed) {
                              BusUse one = use(100, 300'000, 200'000, 1,
                                               TransactionKind::locked_read, Activity::spin);
                              one.address = kLock;
                              one.size = 4;
                              one.locked = true;
                              feed.used(one);
                              BusUse behind_it = testing::reply(500'000, 600'000, 200'000);
                              behind_it.address = kLock + 4;
                              feed.used(behind_it);
                          },
                          700'000)
                          .on("bus");
    EXPECT_EQ(spans(uses), (std::vector<Span>{{300'000, 500'000}, {600'000, 700'000}}));
    EXPECT_EQ(uses[0].name, "locked_read");
    EXPECT_EQ(uses[0].category, "spin");
    EXPECT_EQ(uses[0].notes, (std::map<std::string, std::string>{{"processor", "1"},
                                                                 {"address", "4160"},
                                                                 {"symbol", "my_lock"},
                                                                 {"size_bytes", "4"},
                                                                 {"locked", "1"},
                                                                 {"wait_ps", "299900"}}));
    EXPECT_EQ(uses[1].name, "read reply");
    EXPECT_EQ(uses[1].notes.count("symbol"), 0u);
    EXPECT_EQ(uses[1].notes.count("locked"), 0u);
}

TEST_F(PerfettoWriterTest, SymbolDoesNotDependOnEarlierAddresses) {
    const std::vector<Address> addresses = {0,         kLock - 1, kLock,     kLock + 3,
                                            kLock + 4, kLock + 3, kLock - 1, kLock + 4,
                                            ~0u,       kLock,     kLock - 1, kLock};
    const auto uses = trace(
                          [&](TraceFeed& feed) {
                              for (std::size_t n = 0; n < addresses.size(); ++n) {
                                  const auto at = static_cast<Time>(n) * 100'000;
                                  BusUse one = use(at, at, 100'000);
                                  one.address = addresses[n];
                                  feed.used(one);
                              }
                          },
                          2'000'000)
                          .on("bus");
    ASSERT_EQ(uses.size(), addresses.size());
    for (std::size_t n = 0; n < addresses.size(); ++n) {
        const bool inside = addresses[n] >= kLock && addresses[n] < kLock + 4;
        EXPECT_EQ(uses[n].notes.count("symbol"), inside ? 1u : 0u) << n;
    }
}

TEST_F(PerfettoWriterTest, LocksShowHoldersWaitersAndOpenSlices) {
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(0, {probe(1'000, ProbeKind::lock_attempt, kLock),
                            probe(2'500, ProbeKind::lock_acquired, kLock),
                            probe(9'000, ProbeKind::lock_release, kLock),
                            probe(9'500, ProbeKind::lock_release, kLock)});
            feed.passed(1, {probe(3'000, ProbeKind::lock_attempt, kLock),
                            probe(9'000, ProbeKind::lock_acquired, kLock),
                            probe(9'100, ProbeKind::lock_attempt, 0x2000)});
        },
        20'000);
    const auto holders = seen.on("lock my_lock/holder");
    EXPECT_EQ(spans(holders), (std::vector<Span>{{2'500, 9'000}, {9'000, 20'000}}));
    EXPECT_EQ(holders[0].name, "processor 0");
    EXPECT_EQ(holders[0].notes.count("open"), 0u);
    EXPECT_EQ(holders[1].name, "processor 1");
    EXPECT_EQ(holders[1].notes.count("open"), 1u);
    EXPECT_EQ(spans(seen.on("lock my_lock/waiters")),
              (std::vector<Span>{{1'000, 2'500}, {3'000, 9'000}}));
    EXPECT_EQ(spans(seen.on("lock 0x00002000/waiters")), (std::vector<Span>{{9'100, 20'000}}));
}

TEST_F(PerfettoWriterTest, ThreadsRunUntilTheyFinishBlockOrYield) {
    const auto threads = trace(
                             [](TraceFeed& feed) {
                                 feed.passed(0, {probe(1'000, ProbeKind::thread_create, 0x500),
                                                 probe(2'000, ProbeKind::thread_start, 0x500),
                                                 probe(3'000, ProbeKind::thread_block, 0x500),
                                                 probe(4'000, ProbeKind::thread_resume, 0x600),
                                                 probe(5'000, ProbeKind::thread_resume, 0x500),
                                                 probe(6'000, ProbeKind::thread_finish, 0x500),
                                                 probe(7'000, ProbeKind::thread_start, 0x700)});
                             },
                             9'000)
                             .on("processor 0/threads");
    ASSERT_EQ(threads.size(), 5u);
    EXPECT_EQ(spans(threads), (std::vector<Span>{{2'000, 3'000},
                                                 {4'000, 5'000},
                                                 {5'000, 6'000},
                                                 {7'000, 9'000},
                                                 {1'000, 0}}));  // the instant "create"
    std::string how;
    for (const PerfettoSlice& slice : threads) how += slice.category + " ";
    EXPECT_EQ(how, "block yield finish open  ");
    EXPECT_EQ(threads[0].name, "thread 0x00000500");
    EXPECT_EQ(threads[4].name, "create");
}

// Process 0 holds the lock and is preempted, process 1 waits for it on processor 1 and is then
// preempted as well. In between it is given the lock.
TEST_F(PerfettoWriterTest, ProcessesShowWhomTheyWaitFor) {
    processes_ = true;
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(0, {probe(1'000, ProbeKind::process_create, 0),
                            probe(1'000, ProbeKind::process_create, 1),
                            probe(2'000, ProbeKind::process_run, 0),
                            probe(3'000, ProbeKind::lock_acquired, kLock),
                            probe(5'000, ProbeKind::process_preempt, 0),
                            probe(9'000, ProbeKind::process_run, 0),
                            probe(12'000, ProbeKind::lock_release, kLock)});
            feed.passed(1, {probe(2'500, ProbeKind::process_run, 1),
                            probe(4'000, ProbeKind::lock_attempt, kLock)});
            feed.reached(8'000);
            feed.passed(1, {probe(11'000, ProbeKind::process_block, 1),
                            probe(14'000, ProbeKind::process_wake, 1),
                            probe(15'000, ProbeKind::process_run, 1),
                            probe(16'000, ProbeKind::lock_acquired, kLock)});
        },
        20'000);
    const auto first = seen.on("process 0");
    EXPECT_EQ(spans(first), (std::vector<Span>{{1'000, 2'000},
                                               {2'000, 3'000},
                                               {3'000, 5'000},
                                               {5'000, 9'000},
                                               {9'000, 12'000},
                                               {12'000, 20'000}}));
    std::string states;
    for (const PerfettoSlice& slice : first) states += slice.name + " ";
    EXPECT_EQ(states, "ready work section preempted section work ");
    EXPECT_EQ(first[2].notes,
              (std::map<std::string, std::string>{{"processor", "0"}, {"lock", "my_lock"}}));
    states.clear();
    const auto second = seen.on("process 1");
    for (const PerfettoSlice& slice : second) states += slice.name + " ";
    EXPECT_EQ(states, "ready work acquire blocked ready acquire section ");
    EXPECT_EQ(second[2].notes.at("holder"), "0");
    const auto waits = seen.on("process 1/waits for my_lock");
    ASSERT_EQ(spans(waits), (std::vector<Span>{{5'000, 9'000}}));
    EXPECT_EQ(waits[0].name, "process 0");
    EXPECT_EQ(waits[0].end_flows, first[3].flows);
    EXPECT_EQ(waits[0].end_flows.size(), 1u);
    EXPECT_EQ(spans(seen.on("lock my_lock/waiters")), (std::vector<Span>{{4'000, 16'000}}));
    EXPECT_EQ(seen.on("lock my_lock/holder")[0].name, "process 0");
}

TEST_F(PerfettoWriterTest, InterruptFlowsFromSenderOverSlicBusToReceivers) {
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.messaged({7, 1, 1'000, 2'000, 6'000, 3, false, ProcessorSet::first(2)});
            feed.interrupted(0, 7'000, 0x43, 7);
            feed.interrupted(1, 8'000, 0x43, 7);
            feed.interrupted(1, 9'000, 0x47, 0);
        },
        20'000);
    const auto sent = seen.on("processor 1/interrupts");
    ASSERT_EQ(sent.size(), 3u);
    EXPECT_EQ(sent[0].name, "interrupt 0x43");
    EXPECT_EQ(sent[1].name, "interrupt 0x47");
    EXPECT_TRUE(sent[1].end_flows.empty()) << "a timer's";
    EXPECT_EQ(sent[2].name, "send");
    const auto way = seen.on("interrupt controllers");
    ASSERT_EQ(spans(way), (std::vector<Span>{{2'000, 6'000}}));
    EXPECT_EQ(way[0].end_flows, sent[2].flows);
    const auto taken = seen.on("processor 0/interrupts");
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(way[0].flows,
              (std::vector<std::uint64_t>{taken[0].end_flows.at(0), sent[0].end_flows.at(0)}));
    EXPECT_NE(way[0].flows[0], way[0].flows[1]);
}

TEST_F(PerfettoWriterTest, MessageFlowsToTheNextProbeWithTheSameOperand) {
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(0,
                        {probe(5'000, ProbeKind::message, 1), probe(6'000, ProbeKind::message, 2)});
            feed.passed(1,
                        {probe(4'000, ProbeKind::message, 1), probe(9'000, ProbeKind::message, 1)});
        },
        20'000);
    const auto at_0 = seen.on("processor 0/messages");
    const auto at_1 = seen.on("processor 1/messages");
    ASSERT_EQ(at_0.size(), 2u);
    ASSERT_EQ(at_1.size(), 2u);
    EXPECT_EQ(at_1[0].flows.size(), 1u) << "the earlier one sends";
    EXPECT_EQ(at_0[0].end_flows, at_1[0].flows);
    EXPECT_TRUE(at_0[0].flows.empty());
    EXPECT_NE(at_0[1].flows, at_1[0].flows);
    EXPECT_NE(at_1[1].flows, at_1[0].flows) << "the third sends again";
}

TEST_F(PerfettoWriterTest, SpinnersAreCountedOverAllProcessors) {
    const auto spinners =
        trace(
            [](TraceFeed& feed) {
                feed.passed(1, {change(5'000, Activity::spin), change(9'000, Activity::user)});
                feed.passed(0, {change(3'000, Activity::spin), change(4'000, Activity::critical),
                                change(5'000, Activity::spin)});
            },
            20'000)
            .counters.at("machine/spinners");
    EXPECT_EQ(spinners, (std::vector<std::pair<Time, double>>{
                            {0, 0}, {3'000, 1}, {4'000, 0}, {5'000, 2}, {9'000, 1}}));
}

TEST_F(PerfettoWriterTest, BusCountersAreThoseOfTheIntervals) {
    std::vector<BusInterval> intervals(3);
    intervals[0].busy_by_activity[index(Activity::spin)] = 5 * kUs;
    intervals[1].busy_by_activity[index(Activity::spin)] = 5 * kUs;
    intervals[2].busy_by_activity[index(Activity::spin)] = 5 * kUs;
    intervals[1].queueing = 25 * kUs;
    using Steps = std::vector<std::pair<Time, double>>;
    PerfettoTrace seen = trace([](TraceFeed&) {}, 25 * kUs, {}, intervals);
    EXPECT_EQ(seen.counters["machine/bus/share spin"], (Steps{{0, 0.5}, {20 * kUs, 1.0}}));
    EXPECT_EQ(seen.counters["machine/bus/mean queue length"],
              (Steps{{0, 0}, {10 * kUs, 2.5}, {20 * kUs, 0}}));
    seen = trace([](TraceFeed&) {}, 25 * kUs, {12 * kUs, 18 * kUs}, intervals);
    EXPECT_EQ(seen.counters["machine/bus/share spin"], (Steps{{12 * kUs, 0.5}}));
    EXPECT_EQ(seen.counters["machine/bus/mean queue length"], (Steps{{12 * kUs, 2.5}}));
}

TEST_F(PerfettoWriterTest, WindowCutsSlicesButShowsBusUsesWhole) {
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(
                0, {change(2'000, Activity::spin), probe(3'000, ProbeKind::lock_acquired, kLock),
                    probe(40'000, ProbeKind::lock_release, kLock)});
            feed.entered(0, ProcessorState::waiting, 4'000);
            feed.entered(0, ProcessorState::executing, 12'000);
            feed.used(use(0, 9'000, 2'000));
            feed.used(use(0, 11'000, 18'000));
            feed.used(use(0, 30'000, 1'000));
            feed.reached(10'500);
        },
        50'000, {10'000, 20'250});
    EXPECT_EQ(spans(seen.on("processor 0")), (std::vector<Span>{{10'000, 20'250}}));
    EXPECT_EQ(seen.on("processor 0")[0].name, "spin");
    EXPECT_EQ(spans(seen.on("processor 0/bus")), (std::vector<Span>{{10'000, 12'000}}));
    const auto holder = seen.on("lock my_lock/holder");
    EXPECT_EQ(spans(holder), (std::vector<Span>{{10'000, 20'250}}));
    EXPECT_EQ(holder[0].notes.count("open"), 1u) << "it lasts beyond the window";
    EXPECT_EQ(spans(seen.on("bus")), (std::vector<Span>{{11'000, 29'000}}));
    EXPECT_EQ(seen.counters.at("machine/spinners"),
              (std::vector<std::pair<Time, double>>{{10'000, 1}}));
}

TEST_F(PerfettoWriterTest, TraceEndsWithAWholeChunkAtTheSizeLimit) {
    TraceConfig small = config();
    small.max_bytes = 100'000;
    PerfettoWriter writer(small);
    TraceFeed feed(2, {});
    feed.add(writer);
    for (Time us = 0; us < 2'000; ++us) {
        if (us % 10 == 0) feed.reached(us * kUs);
        feed.used(use(us * kUs, us * kUs, 500'000));
    }
    feed.close(2'000 * kUs);
    writer.close({2'000 * kUs, std::vector<BusInterval>(rows(2'000 * kUs)), 10 * kUs});
    writer.commit();
    ASSERT_TRUE(writer.stopped_at());
    const Time until = *writer.stopped_at();
    EXPECT_EQ(until % (10 * kUs), 0);
    const std::string bytes = testing::contents(small.path);
    EXPECT_LE(bytes.size(), 100'000u);
    EXPECT_GT(bytes.size(), 80'000u);
    const PerfettoTrace seen = testing::PerfettoReader::read(bytes);
    EXPECT_EQ(spans(seen.on("processor 1")), (std::vector<Span>{{0, until}}));
    EXPECT_EQ(seen.on("bus").back().end, until - 500'000);
}

TEST_F(PerfettoWriterTest, FullDiskIsNoErrorUntilCommit) {
    std::filesystem::create_symlink("/dev/full", folder_ / "trace.pftrace");
    PerfettoWriter writer(config());
    TraceFeed feed(2, {});
    feed.add(writer);
    for (Time us = 0; us < 10'000; ++us) feed.used(use(us * kUs, us * kUs, 500'000));
    feed.reached(10'000 * kUs);
    feed.wait();
    EXPECT_TRUE(feed.failed());
    EXPECT_TRUE(writer.failed());
    feed.close(10'000 * kUs);
    writer.close({10'000 * kUs, {}, kUs});
    EXPECT_THROW(writer.commit(), OutputError);
}

}  // namespace
}  // namespace symsim
