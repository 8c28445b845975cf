// SPDX-License-Identifier: MIT
// What each file of a run shows if the interconnect has several resources, and that a file of a bus
// has no word of them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/observe/recorder.h"
#include "sim/observe/result_tables.h"
#include "sim/observe/terminal_summary.h"
#include "sim/observe/vcd_writer.h"
#include "tests/observe/perfetto_fixture.h"
#include "tests/observe/support.h"
#include "tests/observe/transaction_log_reader.h"

namespace symsim {
namespace {

using testing::contents;
using testing::kUs;
using testing::Log;
using testing::on;
using testing::PerfettoTrace;
using testing::PerfettoWriterTest;
using testing::reply;
using testing::Span;
using testing::TransactionLogTest;
using testing::use;
using testing::Values;
using testing::write_run_file;
using ResourceFiles = testing::InFolder;

// 25 us. In the first interval of 10 us resource 0 is used for 4 us and resource 1 for 6 us, in the
// second 0 and 1 us. In the last the end of the run cuts both uses, after 2 and 5 us.
RunReport report_of(unsigned resources) {
    RecorderConfig config{{2}, 10 * kUs};
    config.run.resources = resources;
    Recorder recorder(config);
    const unsigned other = resources - 1;
    recorder.used(on(0, use(1 * kUs, 2 * kUs, 4 * kUs, 0)));
    if (other > 0) recorder.used(on(other, use(2 * kUs, 4 * kUs, 7 * kUs, 1)));
    if (other > 0) recorder.used(on(other, reply(20 * kUs, 20 * kUs, 8 * kUs, 1)));
    recorder.used(on(0, use(23 * kUs, 23 * kUs, 8 * kUs, 0)));
    recorder.finish(25 * kUs);
    RunReport report;
    recorder.fill(report, [](Address) { return ""; });
    report.instructions = {1, 1};
    return report;
}

// The first `columns` columns of each row.
std::vector<std::string> rows_of(const std::string& csv, std::size_t columns) {
    std::vector<std::string> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < columns; ++i) at = line.find(',', at) + 1;
        rows.push_back(line.substr(0, at - 1));
    }
    return rows;
}

TEST_F(ResourceFiles, BusCsvHasARowForEachResource) {
    write_run_file(report_of(2), folder_ / "bus.csv");
    EXPECT_EQ(rows_of(contents(folder_ / "bus.csv"), 7),
              (std::vector<std::string>{
                  "start_us,end_us,resource,busy_us,utilisation,mean_queue_length,transactions",
                  "0,10,0,4,0.400000,0.100000,1", "0,10,1,6,0.600000,0.200000,1",
                  "10,20,0,0,0.000000,0.000000,0", "10,20,1,1,0.100000,0.000000,0",
                  "20,25,0,2,0.400000,0.000000,1", "20,25,1,5,1.000000,0.000000,0"}));
}

// Resource 0 is idle in the second interval, resource 1 always.
TEST_F(ResourceFiles, BusCsvLeavesOutIdleResourcesButTheFirst) {
    write_run_file(report_of(3), folder_ / "bus.csv");
    EXPECT_EQ(rows_of(contents(folder_ / "bus.csv"), 4),
              (std::vector<std::string>{"start_us,end_us,resource,busy_us", "0,10,0,4", "0,10,2,6",
                                        "10,20,0,0", "10,20,2,1", "20,25,0,2", "20,25,2,5"}));
}

TEST_F(ResourceFiles, BusCsvOfOneResourceHasNoColumnForIt) {
    write_run_file(report_of(1), folder_ / "bus.csv");
    EXPECT_EQ(rows_of(contents(folder_ / "bus.csv"), 4),
              (std::vector<std::string>{"start_us,end_us,busy_us,utilisation", "0,10,4,0.400000",
                                        "10,20,0,0.000000", "20,25,2,0.400000"}));
}

TEST(ResourceSummary, UtilisationIsTheMeanOfTheResources) {
    const auto two = nlohmann::json::parse(summary_json(report_of(2)));
    EXPECT_EQ(two["bus"]["busy_us"], 18);
    EXPECT_EQ(two["bus"]["utilisation"], 0.36);
    EXPECT_EQ(two["bus"]["resources"], 2);
    EXPECT_EQ(two["bus"]["mean_queue_length"], 0.12);
    const auto one = nlohmann::json::parse(summary_json(report_of(1)));
    EXPECT_EQ(one["bus"]["utilisation"], 0.24);
    EXPECT_FALSE(one["bus"].contains("resources"));
}

TEST(ResourceSummary, TheTerminalShowsSharesOfAllResources) {
    const std::string text = terminal_summary(report_of(2), "out");
    EXPECT_NE(text.find("bus  36.0% busy, 3 transactions"), std::string::npos) << text;
    EXPECT_NE(text.find("  all                36.0%     36.0%\n"), std::string::npos) << text;
}

class TransactionLogOfTwo : public TransactionLogTest {
  protected:
    TraceConfig of_two() const {
        TraceConfig two = config();
        two.run.resources = 2;
        return two;
    }
};

TEST_F(TransactionLogOfTwo, UsesNameTheirResource) {
    Writer writer(of_two());
    writer.feed.used(on(1, use(0, 1 * kUs, 4 * kUs)));
    writer.feed.used(on(0, use(0, 2 * kUs, 1 * kUs)));
    writer.feed.used(on(1, reply(0, 5 * kUs, 1 * kUs)));
    const Log log = ended(writer, 9 * kUs);
    EXPECT_EQ(log.column("bus", "resource"), (Values{1, 0, 1}));
    EXPECT_EQ(log.column("bus", "grant_ps"), (Values{1'000'000, 2'000'000, 5'000'000}));
    EXPECT_EQ(log.column("bus", "locked"), (Values{0, 0, 0}));
}

TEST_F(TransactionLogOfTwo, OneResourceHasNoField) {
    Writer writer(config());
    writer.feed.used(use(0, 1 * kUs, 1 * kUs));
    const Log log = ended(writer, 9 * kUs);
    EXPECT_EQ(log.records.at("bus")[0].count("resource"), 0u);
}

// Chunks end while both resources are used, and the run ends before either use.
TEST_F(TransactionLogOfTwo, TheEndCutsTheLastUseOfEach) {
    Writer writer(of_two());
    writer.feed.used(on(0, use(0, 1 * kUs, 1 * kUs)));
    writer.feed.used(on(1, use(0, 2 * kUs, 9 * kUs)));
    writer.feed.reached(3 * kUs);
    writer.feed.used(on(0, use(0, 3 * kUs, 1 * kUs)));
    writer.feed.used(on(0, use(0, 4 * kUs, 9 * kUs)));
    writer.feed.reached(6 * kUs);
    const Log log = ended(writer, 7 * kUs);
    EXPECT_EQ(log.column("bus", "resource"), (Values{0, 1, 0, 0}));
    EXPECT_EQ(log.column("bus", "duration_ps"),
              (Values{1'000'000, 5'000'000, 1'000'000, 3'000'000}));
}

TEST_F(TransactionLogOfTwo, AUseThatEndsOneTickAfterTheRunIsCut) {
    Writer writer(of_two());
    writer.feed.used(on(1, use(0, 2 * kUs, 1 * kUs + 1)));
    writer.feed.used(on(0, use(0, 3 * kUs, 1 * kUs)));
    const Log log = ended(writer, 3 * kUs);
    EXPECT_EQ(log.column("bus", "duration_ps"), (Values{1'000'000, 0}));
}

TEST_F(PerfettoWriterTest, EachResourceHasATrack) {
    resources_ = 2;
    std::vector<BusInterval> intervals(4);
    intervals[1].busy_by_activity[index(Activity::spin)] = 5 * kUs;
    intervals[2].busy_by_activity[index(Activity::spin)] = 4 * kUs;
    PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.used(on(1, use(0, 1 * kUs, 4 * kUs)));
            feed.used(on(0, use(0, 2 * kUs, 20 * kUs)));
            feed.used(on(1, use(0, 5 * kUs, 20 * kUs)));
        },
        20 * kUs, {}, intervals);
    EXPECT_EQ(spans(seen.on("bus/resource 0")), (std::vector<Span>{{2 * kUs, 20 * kUs}}));
    EXPECT_EQ(spans(seen.on("bus/resource 1")),
              (std::vector<Span>{{1 * kUs, 5 * kUs}, {5 * kUs, 20 * kUs}}));
    EXPECT_TRUE(seen.on("bus").empty());
    using Steps = std::vector<std::pair<Time, double>>;
    EXPECT_EQ(seen.counters["machine/bus/resource 0/share spin"], (Steps{{0, 0}, {10 * kUs, 0.4}}));
    EXPECT_EQ(seen.counters["machine/bus/resource 1/share spin"], (Steps{{0, 0.5}, {10 * kUs, 0}}));
}

const ResourceTable kMemoryAndLink = {{NamedResource::Kind::memory, 1, 2, 0},
                                      {NamedResource::Kind::link, 3, 1, 0}};

TEST_F(PerfettoWriterTest, TracksHaveTheNamesOfResources) {
    resources_ = 2;
    table_ = kMemoryAndLink;
    PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.used(on(0, use(0, 1 * kUs, 4 * kUs)));
            feed.used(on(1, use(0, 2 * kUs, 4 * kUs)));
        },
        20 * kUs);
    EXPECT_EQ(spans(seen.on("bus/node 1: memory 2")), (std::vector<Span>{{1 * kUs, 5 * kUs}}));
    EXPECT_EQ(spans(seen.on("bus/ring 1: node 3 to 0")), (std::vector<Span>{{2 * kUs, 6 * kUs}}));
    EXPECT_EQ(seen.counters.count("machine/bus/ring 1: node 3 to 0/share spin"), 1u);
}

TEST_F(ResourceFiles, VcdScopesHaveTheNamesOfResources) {
    VcdWriter({folder_ / "trace.vcd", kMaxVcdBytes, {1, 2, kMemoryAndLink}}).commit();
    const std::string text = contents(folder_ / "trace.vcd");
    for (const char* scope : {"$scope module node1_memory2 $end\n$var wire 1 !0 grant $end\n",
                              "$scope module ring1_node3_to_node0 $end\n"})
        EXPECT_NE(text.find(scope), std::string::npos) << scope;
}

TEST_F(ResourceFiles, VcdHasAScopeForEachResource) {
    VcdWriter writer({folder_ / "trace.vcd", kMaxVcdBytes, {1, 2}});
    writer.begin({});
    writer.used(on(1, use(100, 100, 300, 5)));
    writer.used(on(0, use(100, 200, 100, 4)));
    writer.used(on(1, reply(100, 400, 100, 5)));
    writer.used(on(0, use(100, 600, 900, 4)));
    writer.close({1'000});
    writer.commit();
    const std::string text = contents(folder_ / "trace.vcd");
    for (const char* scope : {"$scope module resource0 $end\n$var wire 1 !0 grant $end\n",
                              "$scope module resource1 $end\n$var wire 1 !1 grant $end\n"})
        EXPECT_NE(text.find(scope), std::string::npos) << scope;
    // The changes of both grants. Resource 1 has no gap at 400.
    std::string changes;
    std::istringstream lines(text.substr(text.find("$enddefinitions")));
    for (std::string line; std::getline(lines, line);)
        if (line[0] == '#' || line.substr(1, 1) == "!") changes += line + ' ';
    EXPECT_EQ(changes, "#0 0!0 0!1 #100 1!1 #200 1!0 #300 0!0 #400 #500 0!1 #600 1!0 #1000 ");
}

TEST_F(ResourceFiles, VcdThatReachesItsLimitShowsAllResourcesAsIdle) {
    VcdWriter writer({folder_ / "trace.vcd", 850, {1, 2}});
    writer.begin({});
    writer.used(on(0, use(0, 100, 900)));
    writer.used(on(1, use(0, 200, 900)));
    writer.used(on(1, use(0, 1'200, 900)));
    ASSERT_EQ(writer.stopped_at(), 200);
    writer.close({5'000});
    writer.commit();
    const std::string text = contents(folder_ / "trace.vcd");
    EXPECT_NE(text.find("#200\n0!0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace symsim
