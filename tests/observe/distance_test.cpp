// SPDX-License-Identifier: MIT
// What is measured and written on a machine of several nodes only: misses, pages, links and the
// handoffs of locks.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/observe/numbers.h"
#include "sim/observe/recorder.h"
#include "sim/observe/result_tables.h"
#include "sim/observe/terminal_summary.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::contents;
using testing::kUs;
using testing::on;
using testing::probe;
using testing::reply;
using testing::write_run_file;
using DistanceFiles = testing::InFolder;

constexpr Address kLock = 0x5040;

// 3 nodes of 2 processors. A bus and a memory bank each, and the links of one ring: resources 6 to
// 8.
RecorderConfig three_nodes() {
    using Kind = NamedResource::Kind;
    RecorderConfig config{{6}, 10 * kUs};
    config.run.topology = {3, 2};
    for (unsigned node = 0; node < 3; ++node) config.run.table.push_back({Kind::bus, node});
    for (unsigned node = 0; node < 3; ++node) config.run.table.push_back({Kind::memory, node});
    for (unsigned node = 0; node < 3; ++node)
        config.run.table.push_back({Kind::link, node, 0, (node + 1) % 3});
    config.run.resources = 9;
    return config;
}

Miss miss(ProcessorId processor, Time posted, Time arrived, Supplier supplier, unsigned links,
          Address line, unsigned home) {
    Miss miss;
    miss.processor = processor;
    miss.posted = posted;
    miss.arrived = arrived;
    miss.activity = Activity::user;
    miss.supplier = supplier;
    miss.links = static_cast<std::uint8_t>(links);
    miss.line = line;
    miss.home = static_cast<std::uint8_t>(home);
    return miss;
}

void carry(Recorder& recorder, const BusUse& use) {
    recorder.used(use);
    recorder.carried(use);
}

void finish(Recorder& recorder, RunReport& report, Time end) {
    recorder.finish(end);
    recorder.fill(report, [](Address a) { return a == 0x3000 ? "table, begin" : hex_text(a); });
    report.instructions.resize(6, 1);
}

// 25 us. Processors 1 and 4 miss lines of two pages, one of them far.
RunReport misses() {
    Recorder recorder(three_nodes());
    recorder.missed(miss(1, 1 * kUs, 2 * kUs, Supplier::own_memory, 0, 0x3010, 0));
    recorder.missed(miss(1, 3 * kUs, 5 * kUs, Supplier::own_node_cache, 0, 0x3ff0, 0));
    recorder.missed(miss(4, 4 * kUs, 10 * kUs, Supplier::other_node, 3, 0x3020, 0));
    recorder.missed(miss(4, 11 * kUs, 15 * kUs, Supplier::home_memory, 3, 0x1000, 1));
    RunReport report;
    finish(recorder, report, 25 * kUs);
    return report;
}

TEST_F(DistanceFiles, MissesHaveARowForEachProcessorActivityAndSupplier) {
    write_run_file(misses(), folder_ / "misses.csv");
    EXPECT_EQ(contents(folder_ / "misses.csv"),
              "processor,node,activity,supplier,misses,far_misses,time_us,far_time_us,links\n"
              "1,0,user,own_memory,1,0,1,0,0\n"
              "1,0,user,own_node_cache,1,0,2,0,0\n"
              "4,2,user,home_memory,1,1,4,4,3\n"
              "4,2,user,other_node,1,1,6,6,3\n");
}

TEST_F(DistanceFiles, PagesHaveTheMissesOfEachNode) {
    write_run_file(misses(), folder_ / "pages.csv");
    EXPECT_EQ(contents(folder_ / "pages.csv"),
              "page,symbol,home_node,misses_node0,misses_node1,misses_node2\n"
              "0x00001000,,1,0,0,1\n"
              "0x00003000,\"table, begin\",0,2,0,1\n");
}

TEST(DistanceSummary, DividesMissesIntoNearAndFar) {
    const auto json = nlohmann::json::parse(summary_json(misses()))["misses"];
    EXPECT_EQ(json["near"], 2);
    EXPECT_EQ(json["far"], 2);
    EXPECT_EQ(json["near_time_us"], 3);
    EXPECT_EQ(json["mean_near_us"], 1.5);
    EXPECT_EQ(json["far_time_us"], 10);
    EXPECT_EQ(json["mean_far_us"], 5);
    EXPECT_EQ(json["links"], 6);
    EXPECT_EQ(json["by_activity"]["user"]["far"], 2);
    EXPECT_EQ(json["by_activity"]["spin"]["far"], 0);
    EXPECT_EQ(json["by_supplier"]["other_node"]["far_time_us"], 6);
    EXPECT_EQ(json["by_supplier"]["network_cache"]["near"], 0);
    ASSERT_EQ(json["by_node"].size(), 3u);
    EXPECT_EQ(json["by_node"][0]["near"], 2);
    EXPECT_EQ(json["by_node"][2]["far"], 2);
}

TEST(DistanceSummary, TheTerminalShowsNearAndFar) {
    const std::string text = terminal_summary(misses(), "out");
    for (const char* line :
         {"\nmisses                             count   mean time share of time\n",
          "  near, in the own node                2     1.50 us         23.1%\n",
          "  far, over links                      2     5.00 us         76.9%\n",
          "  3.00 links per far miss\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

// Processor 2 waits 2 us for the link from node 1, which a message of processor 0 uses up to 11 us.
TEST_F(DistanceFiles, LinksHaveARowForEachIntervalInWhichTheyAreUsed) {
    Recorder recorder(three_nodes());
    recorder.used(on(0, reply(1 * kUs, 1 * kUs, 3 * kUs, 0)));
    carry(recorder, on(7, reply(8 * kUs, 8 * kUs, 3 * kUs, 0)));
    carry(recorder, on(7, reply(9 * kUs, 11 * kUs, 1 * kUs, 2)));
    carry(recorder, on(8, reply(23 * kUs, 23 * kUs, 8 * kUs, 2)));
    RunReport report;
    finish(recorder, report, 25 * kUs);
    write_run_file(report, folder_ / "links.csv");
    EXPECT_EQ(contents(folder_ / "links.csv"),
              "start_us,end_us,ring,from_node,to_node,messages,busy_us,utilisation,mean_wait_us,"
              "mean_queue_length\n"
              "0,10,0,1,2,1,2,0.200000,0,0.100000\n"
              "10,20,0,1,2,1,2,0.200000,2,0.100000\n"
              "20,25,0,2,0,1,2,0.400000,0,0.000000\n");
}

// The lock goes from processor 0 to 1, in the same node; back to 0 by itself; then to 5 and to 2.
// Marks of processor 5 are reported first, although they are the last.
RunReport handoffs(Recorder& recorder) {
    const auto hold = [&](ProcessorId p, Time from, Time to) {
        recorder.passed(p, {probe(from, ProbeKind::lock_acquired, kLock),
                            probe(to, ProbeKind::lock_release, kLock)});
    };
    hold(5, 9 * kUs, 10 * kUs);
    hold(2, 11 * kUs, 12 * kUs);
    hold(0, 1 * kUs, 2 * kUs);
    hold(1, 3 * kUs, 4 * kUs);
    hold(0, 5 * kUs, 6 * kUs);
    hold(0, 7 * kUs, 8 * kUs);
    RunReport report;
    finish(recorder, report, 25 * kUs);
    return report;
}

TEST_F(DistanceFiles, LocksHaveTheLinksOfTheirHandoffs) {
    Recorder recorder(three_nodes());
    const RunReport report = handoffs(recorder);
    write_run_file(report, folder_ / "locks.csv");
    const std::string text = contents(folder_ / "locks.csv");
    EXPECT_NE(text.find(",open_hold_us,handoffs,handoffs_own_processor,handoffs_own_node,"
                        "handoffs_other_nodes,handoff_links\n"),
              std::string::npos);
    // Processor 0: twice, from 1 and from itself. From 0 to 5, in node 2, there are two links, and
    // from node 2 to node 1 as well.
    for (const char* row : {",0,0,3,3,0,0,3,1,0,0,2,1,1,0,0\n", ",1,0,1,1,0,0,1,1,0,0,1,0,1,0,0\n",
                            ",2,0,1,1,0,0,1,1,0,0,1,0,0,1,2\n", ",5,0,1,1,0,0,1,1,0,0,1,0,0,1,2\n"})
        EXPECT_NE(text.find(row), std::string::npos) << row << text;
    const auto lock = nlohmann::json::parse(summary_json(report))["locks"][0];
    EXPECT_EQ(lock["handoffs"], 5);
    EXPECT_EQ(lock["handoffs_own_processor"], 1);
    EXPECT_EQ(lock["handoffs_own_node"], 2);
    EXPECT_EQ(lock["handoffs_other_nodes"], 2);
    EXPECT_EQ(lock["mean_handoff_links"], 0.8);
    EXPECT_NE(terminal_summary(report, "out").find("links/handoff\n"), std::string::npos);
}

// Marks that come late are taken in order of time, whenever progress is reported.
TEST(DistanceMeterTest, HandoffsWaitForTheMarksOfAllProcessors) {
    Recorder recorder(three_nodes());
    ASSERT_TRUE(recorder.wants_progress());
    recorder.passed(5, {probe(9 * kUs, ProbeKind::lock_acquired, kLock)});
    recorder.reached(4 * kUs);
    recorder.passed(0, {probe(8 * kUs, ProbeKind::lock_release, kLock)});
    recorder.reached(20 * kUs);
    RunReport report;
    finish(recorder, report, 25 * kUs);
    ASSERT_EQ(report.locks.size(), 1u);
    EXPECT_EQ(report.locks[0].all.handoffs.count, 1u);
    EXPECT_EQ(report.locks[0].all.handoffs.links, 2u);
}

TEST(DistanceMeterTest, AMachineOfOneNodeHasNoneOfThis) {
    Recorder recorder(RecorderConfig{{6}, 10 * kUs});
    EXPECT_FALSE(recorder.wants_progress());
    const RunReport report = handoffs(recorder);
    EXPECT_FALSE(report.distance);
    const auto json = nlohmann::json::parse(summary_json(report));
    EXPECT_FALSE(json.contains("misses"));
    EXPECT_FALSE(json["locks"][0].contains("handoffs"));
    const std::string text = terminal_summary(report, "out");
    EXPECT_EQ(text.find("misses"), std::string::npos);
    EXPECT_EQ(text.find("handoff"), std::string::npos);
}

TEST(DistanceMeterTest, MissesOfNodesThatThereAreNotAreRefused) {
    Recorder recorder(three_nodes());
    EXPECT_DEATH(recorder.missed(miss(6, 0, 1, Supplier::own_memory, 0, 0x3000, 0)), "processor 6");
    EXPECT_DEATH(recorder.missed(miss(0, 0, 1, Supplier::own_memory, 0, 0x3000, 3)), "of node 3");
    EXPECT_DEATH(recorder.missed(miss(0, 2, 1, Supplier::own_memory, 0, 0x3000, 0)), "from 2 ps");
}

}  // namespace
}  // namespace symsim
