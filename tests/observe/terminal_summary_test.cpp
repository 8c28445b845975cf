// SPDX-License-Identifier: MIT
#include "sim/observe/terminal_summary.h"

#include <algorithm>
#include <ctime>

#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/observe/result_tables.h"
#include "tests/observe/report_for_test.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::report_for_test;

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(TerminalSummary, ShortTimesHaveThreeDigits) {
    EXPECT_EQ(short_time(0), "0");
    EXPECT_EQ(short_time(500), "500 ps");
    EXPECT_EQ(short_time(62'500), "62.5 ns");
    EXPECT_EQ(short_time(1'234'567), "1.23 us");
    EXPECT_EQ(short_time(9'996'000'000), "10.0 ms");
    EXPECT_EQ(short_time(123 * kMillisecond + 400'000'000), "123 ms");
    EXPECT_EQ(short_time(30'000 * kMillisecond), "30.0 s");
}

TEST(TerminalSummary, LongNumbersAreGroupedByThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(123'456), "123,456");
}

TEST(TerminalSummary, ShowsTheUseOfTheBusByKindAndActivity) {
    const std::string text = terminal_summary(report_for_test(), "results/quickstart");
    EXPECT_TRUE(holds(text, "finished after 25.0 us (25 us), 2 processors, 123 instructions"))
        << text;
    EXPECT_TRUE(holds(text, "counter-xchgb.elf, exit status 0")) << text;
    EXPECT_TRUE(holds(text, "bus  14.0% busy, 2 transactions, mean wait 1.50 us, mean queue 0.12"))
        << text;
    // Locked reads by spinning processors take 0.5 us of 25 us.
    EXPECT_TRUE(holds(text, "  locked_read         0.0%      0.0%      2.0%      2.0%\n")) << text;
    EXPECT_FALSE(holds(text, "kernel")) << text;  // an activity without time has no row
    EXPECT_TRUE(holds(text, "counter_lock")) << text;
    EXPECT_TRUE(holds(text, "elapsed_us")) << text;
    EXPECT_TRUE(holds(text, "files in results/quickstart\n")) << text;
}

TEST(TerminalSummary, ShowsAddressSpacesAndThePartsOfACall) {
    RunReport report = report_for_test();
    EXPECT_FALSE(holds(terminal_summary(report, "out"), "address spaces"));
    SpaceTimes client;
    client.name = "client";
    client.activities[index(Activity::user)] = 20 * kUs;
    client.activities[index(Activity::idle)] = 5 * kUs;
    client.donations = 1234;
    report.spaces = {client, SpaceTimes{}};
    report.calls.emplace();
    report.calls->calls = 4;
    report.calls->parts[index(CallPart::client_send)].sum = 8 * kUs;
    report.calls->parts[index(CallPart::client_dispatch)].sum = 10 * kUs;
    const std::string text = terminal_summary(report, "out");
    EXPECT_TRUE(holds(text,
                      "\n  client                         50.0%       10.0%        0.0%"
                      "       1,234           0\n"))
        << text;
    EXPECT_TRUE(holds(text, "\n4 calls, means ")) << text;
    EXPECT_TRUE(holds(text,
                      "\n  client                       2.00 us           0           0"
                      "     2.50 us     4.50 us\n"))
        << text;
    report.calls->calls = 0;
    EXPECT_FALSE(holds(terminal_summary(report, "out"), "calls, means"));
}

TEST(TerminalSummary, ShowsAFailureAndThatTheRunIsPartial) {
    RunReport report = report_for_test();
    report.status = RunStatus::guest_failure;
    report.partial = true;
    FailureReport failure;
    failure.failure = {"jump into the void", "look at the return address", 1, 62'500, 0xdead};
    failure.failure.vector = 13;
    failure.failure.error_code = 0x18;
    failure.symbol = "work+0x4";
    failure.source = "work.c:7";
    failure.backtrace = {"work+0x4", "main+0x20"};
    report.failure = failure;
    const std::string text = terminal_summary(report, "out");
    EXPECT_EQ(text.rfind("guest-failure after", 0), 0u) << text;
    EXPECT_TRUE(holds(text, "partial:")) << text;
    EXPECT_TRUE(holds(text, "jump into the void")) << text;
    EXPECT_TRUE(holds(text, "processor 1 at 0.0625 us, eip 0x0000dead in work+0x4, work.c:7\n"))
        << text;
    EXPECT_TRUE(holds(text, "  error code 0x18: selector 0x0018 in the GDT\n")) << text;
    EXPECT_TRUE(holds(text, "main+0x20")) << text;
    EXPECT_TRUE(holds(text, "look at the return address")) << text;
}

TEST(TerminalSummary, ShowsTheLastPostCodesAndTheirTime) {
    RunReport report = report_for_test();
    EXPECT_FALSE(holds(terminal_summary(report, "out"), "POST"));
    for (std::uint8_t code = 0; code < 20; ++code)
        report.guest.post_codes.first.push_back({code * kUs, code});
    const std::string text = terminal_summary(report, "out");
    EXPECT_TRUE(holds(text, "POST codes  ... 04 05 ")) << text;
    EXPECT_TRUE(holds(text, " 12 13 \n  the last one at 19 us\n")) << text;
    report.guest.post_codes.left_out = 5;
    EXPECT_TRUE(holds(terminal_summary(report, "out"), "5 behind it are not recorded"));
}

TEST(TerminalSummary, IsBoundedHoweverLongTheReport) {
    RunReport report = report_for_test();
    for (int n = 0; n < 1000; ++n) report.guest.post_codes.first.push_back({n * kUs, 0xFF});
    for (std::size_t k = 0; k < kTransactionKinds; ++k) {
        for (std::size_t a = 0; a < kActivities; ++a) {
            report.bus.busy_by_processor[0][a][k] += 12'345;
            report.bus.busy += 12'345;
            report.processors[0].states_by_activity[a][0] += 1;
        }
    }
    report.locks.assign(1000, report.locks[0]);
    for (auto& lock : report.locks) lock.name = std::string(200, 'x');
    report.guest.results.assign(1000, {std::string(300, 'n'), std::string(300, 'v')});
    report.guest.results[0].second = "\x1b[2J";
    const std::string text = terminal_summary(report, "out");
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 55) << text;
    EXPECT_TRUE(holds(text, "and 992 more in locks.csv")) << text;
    EXPECT_TRUE(holds(text, "and 992 more in summary.json")) << text;
    EXPECT_FALSE(holds(text, "\x1b")) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

// A guest can report a name for each thing it has measured.
TEST(TerminalSummary, ManyResultsTakeTimeInProportion) {
    RunReport report = report_for_test();
    for (unsigned n = 0; n < 150'000; ++n)
        report.guest.results.emplace_back("name" + std::to_string(n), "1");
    const std::clock_t start = std::clock();  // of this process: the host may be busy
    EXPECT_TRUE(holds(summary_json(report), "\"name149999\": 1"));
    EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);
}

TEST(TerminalSummary, RunOfZeroLengthHasASummary) {
    Recorder recorder({{1}, 100 * kMicrosecond});
    recorder.finish(0);
    RunReport report;
    recorder.fill(report, nullptr);
    report.instructions = {0};
    EXPECT_TRUE(holds(terminal_summary(report, "out"), "bus  0.0% busy"))
        << terminal_summary(report, "o");
}

}  // namespace
}  // namespace symsim
