// SPDX-License-Identifier: MIT
// Tests which part of a run is in the transaction log if there is a trace window (observe.window).
#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/transaction_log_reader.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::Log;
using testing::probe;
using testing::Record;
using testing::use;
using testing::Values;
using TransactionLogWindowTest = testing::TransactionLogTest;

TEST_F(TransactionLogWindowTest, WindowHasUsesGrantedInItAndCutsStates) {
    const Window window{10 * kUs, 20 * kUs};
    Writer writer(config(), window);
    writer.feed.entered(1, ProcessorState::halted, 12 * kUs);
    for (Time t = 0; t < 30; ++t) {
        writer.feed.used(use(t * kUs, t * kUs, kUs + 1));
        writer.feed.passed(0, {probe(t * kUs, ProbeKind::message, 0)});
        writer.feed.entered(0, t % 4 < 2 ? ProcessorState::waiting : ProcessorState::served,
                            t * kUs);
        if (t % 7 == 0) writer.feed.reached(t * kUs);
    }
    writer.feed.entered(1, ProcessorState::executing, 29 * kUs);
    const Log log = ended(writer, 30 * kUs);
    const Values grants = log.column("bus", "grant_ps");
    EXPECT_EQ(grants.size(), 10u);
    EXPECT_EQ(grants.front(), 10'000'000u);
    EXPECT_EQ(log.column("bus", "duration_ps"), Values(10, 1'000'001)) << "each is whole";
    EXPECT_EQ(log.column("marks", "time_ps"), grants);
    EXPECT_EQ(log.column("end", "until_ps"), Values{20'000'000});
    std::map<std::uint64_t, std::uint64_t> covered = {{0, 10'000'000}, {1, 10'000'000}};
    for (const Record& r : log.records.at("states")) {
        EXPECT_EQ(covered[r.at("processor")], r.at("start_ps"));
        covered[r.at("processor")] = r.at("end_ps");
    }
    EXPECT_EQ(covered, (std::map<std::uint64_t, std::uint64_t>{{0, 20'000'000}, {1, 20'000'000}}));
}

TEST_F(TransactionLogWindowTest, LogEndsWithARunThatEndsWithinTheWindow) {
    Writer writer(config(1), Window{10 * kUs, 20 * kUs});
    const Log log = ended(writer, 15 * kUs);
    EXPECT_EQ(log.column("states", "start_ps"), Values{10'000'000});
    EXPECT_EQ(log.column("states", "end_ps"), Values{15'000'000});
    EXPECT_EQ(log.column("end", "until_ps"), Values{15'000'000});
}

TEST_F(TransactionLogWindowTest, WindowAroundAnEventHasTheTimeBeforeIt) {
    WindowConfig around;
    around.around = WindowAround{ProbeKind::lock_acquired, 0x40, 10 * kUs};
    Writer writer(config(), around);
    writer.feed.entered(1, ProcessorState::halted, 3 * kUs);
    for (Time t = 0; t < 60; ++t) {
        writer.feed.used(use(t * kUs, t * kUs, kUs / 2));
        writer.feed.passed(0, {probe(t * kUs, ProbeKind::lock_acquired, t == 30 ? 0x40 : 0x80)});
        if (t % 3 == 0) writer.feed.reached(t * kUs);
    }
    const Log log = ended(writer, 60 * kUs);
    Values from_20_to_40;
    for (std::uint64_t t = 20; t < 40; ++t) from_20_to_40.push_back(t * kUs);
    EXPECT_EQ(log.column("bus", "grant_ps"), from_20_to_40);
    EXPECT_EQ(log.column("marks", "time_ps"), from_20_to_40);
    EXPECT_EQ(log.column("states", "processor"), (Values{0, 1}));
    EXPECT_EQ(log.column("states", "start_ps"), (Values{20'000'000, 20'000'000}));
    EXPECT_EQ(log.column("states", "end_ps"), (Values{40'000'000, 40'000'000}));
    EXPECT_EQ(log.column("states", "state"), (Values{0, 3})) << "as it was before the window";
    EXPECT_EQ(log.column("end", "until_ps"), Values{40'000'000});
}

TEST_F(TransactionLogWindowTest, LastWindowIsKeptUntilTheEndOfTheRun) {
    WindowConfig last;
    last.last = 5 * kUs;
    Writer writer(config(1), last);
    for (Time t = 0; t < 60; ++t) {
        writer.feed.used(use(t * kUs, t * kUs, kUs / 2));
        if (t % 3 == 0) writer.feed.reached(t * kUs);
    }
    const Log log = ended(writer, 60 * kUs);
    EXPECT_EQ(log.column("bus", "grant_ps"),
              (Values{55'000'000, 56'000'000, 57'000'000, 58'000'000, 59'000'000}));
    EXPECT_EQ(log.column("states", "start_ps"), Values{55'000'000});
    EXPECT_EQ(log.column("states", "end_ps"), Values{60'000'000});
    EXPECT_EQ(log.column("end", "until_ps"), Values{60'000'000});
}

TEST_F(TransactionLogWindowTest, WindowIsEmptyIfItsEventNeverComes) {
    WindowConfig around;
    around.around = WindowAround{ProbeKind::message, {}, 10 * kUs};
    Writer writer(config(1), around);
    writer.feed.used(use(1 * kUs, 1 * kUs, kUs));
    const Log log = ended(writer, 9 * kUs);
    EXPECT_EQ(log.records.size(), 1u);
    EXPECT_EQ(log.column("end", "until_ps"), Values{9'000'000});
    EXPECT_TRUE(log.whole);
}

}  // namespace
}  // namespace symsim
