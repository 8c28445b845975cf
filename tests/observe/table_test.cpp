// SPDX-License-Identifier: MIT
#include "sim/observe/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/base/exit_code.h"
#include "sim/base/observer.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"
#include "sim/observe/report.h"
#include "sim/observe/result_tables.h"
#include "sim/observe/run_files.h"

namespace symsim {
namespace {

TEST(CsvHeader, HasTheNamesInOrderOnOneLine) {
    EXPECT_EQ(csv_header({{"a_us", "us", "x"}, {"b", "", "y"}}), "a_us,b\n");
}

TEST(CsvHeader, PlaceholdersExpandToAllTheirNames) {
    EXPECT_EQ(csv_header({{"in_STATE_us", "", ""}}),
              "in_executing_us,in_waiting_us,in_served_us,in_halted_us\n");
    const std::string both = csv_header({{"ACTIVITY_KIND", "", ""}});
    EXPECT_EQ(both.substr(0, both.find(',')), "user_fetch");
    EXPECT_EQ(static_cast<std::size_t>(std::count(both.begin(), both.end(), ',')) + 1,
              kActivities * kTransactionKinds);
    EXPECT_NE(both.find(",boot_io_write\n"), std::string::npos) << both;
}

TEST(CsvHeader, BusCsvHasAColumnForEachActivityAndKind) {
    const std::string header = csv_header(bus_csv().columns);
    for (const auto activity : kActivityNames)
        EXPECT_NE(header.find(",share_activity_" + std::string(activity) + ","), std::string::npos);
    EXPECT_EQ(header.find("ACTIVITY"), std::string::npos);
    EXPECT_EQ(header.substr(0, 16), "start_us,end_us,");
}

struct Times {
    Time busy = 0;
    std::array<Time, kProcessorStates> states{};
};

const Table<Times> kTimes = {
    {"busy_us", "us", "x", &Times::busy},
    {"in.share", "ratio", "x", [](const Times& t) { return millionths(t.busy, kMicrosecond); }},
    {"states_us.STATE", "us", "x", &Times::states},
    {"processes", "count", "x", [](const Times&) { return 7u; }, has_processes},
    {"list[]", "", "x",
     [](const Times&) {
         return std::vector<std::string>{"a", "b,c"};
     }},
    {"list[].part", "", "only described"},
};

TEST(Table, AnObjectHasEachValueAtItsPathInItsUnit) {
    const Times times{250'000, {1, 2'000'000, 0, 0}};
    EXPECT_EQ(object(kTimes, RunReport(), times).text(),
              R"({"busy_us":0.25,"in":{"share":0.25},"states_us":{"executing":1e-06,"waiting":2.0,)"
              R"("served":0.0,"halted":0.0},"list":["a","b,c"]})");
}

TEST(Table, AnEntryWithAConditionIsThereIfTheRunFulfilsIt) {
    RunReport report;
    report.processes.resize(1);
    const std::string text = object(kTimes, report, Times()).text();
    EXPECT_NE(text.find("\"processes\":7"), std::string::npos) << text;
}

TEST(Table, AFieldOfACsvFileIsExactAndQuotedIfNeeded) {
    const auto field = [](const std::string& unit, const auto& value) {
        CsvLine line;
        line.set(scale_of(unit));
        line.put(value);
        return std::string(line.take());
    };
    EXPECT_EQ(field("us", Time{1}), "0.000001\n");
    EXPECT_EQ(field("ratio", millionths(1, 3)), "0.333333\n");
    EXPECT_EQ(field("count", ~std::uint64_t{0}), "18446744073709551615\n");
    EXPECT_EQ(field("us", std::array<Time, 2>{kMicrosecond, 0}), "1,0\n");
    EXPECT_EQ(field("", Json()), "\n");
    EXPECT_EQ(field("", Json("b,c")), "\"b,c\"\n");
    EXPECT_EQ(field("count", std::int64_t{-5}), "-5\n");
    EXPECT_EQ(field("", 0.25), "0.25\n");
    EXPECT_EQ(field("", true), "true\n");
}

template <class Names>
void expect_all_said(const Names& words) {
    std::set<std::string_view> different;
    for (const std::string_view word : words) {
        EXPECT_FALSE(word.empty());
        EXPECT_TRUE(different.insert(word).second) << word << " stands twice";
    }
}

TEST(Words, NamesAndMeaningsAreUniqueAndNotEmpty) {
    expect_all_said(kActivityNames);
    expect_all_said(kActivityMeanings);
    expect_all_said(kProcessorStateNames);
    expect_all_said(kProcessorStateMeanings);
    expect_all_said(kTransactionKindNames);
    expect_all_said(kTransactionKindMeanings);
    expect_all_said(kRunStatusNames);
    expect_all_said(kRunStatusMeanings);
}

TEST(Words, ProbePointsAndExitCodesAreInOrderAndDescribed) {
    std::set<std::string_view> names;
    std::uint32_t before = 0;
    for (const ProbePoint& point : kProbePoints) {
        EXPECT_GT(index(point.kind), before) << point.name;
        before = static_cast<std::uint32_t>(point.kind);
        EXPECT_TRUE(names.insert(point.name).second) << point.name;
        EXPECT_FALSE(point.operand.empty() || point.meaning.empty()) << point.name;
    }
    int last = -1;
    for (const ExitCode& exit : kExitCodes) {
        EXPECT_GT(static_cast<int>(exit.code), last) << exit.brief;
        last = static_cast<int>(exit.code);
        EXPECT_FALSE(exit.brief.empty() || exit.meaning.empty() || exit.files.empty());
    }
}

TEST(RunFiles, ColumnNamesAreUniqueWithinAFile) {
    std::set<std::string> files;
    for (const RunFile& file : run_files()) {
        EXPECT_TRUE(files.insert(file.name).second) << file.name;
        std::set<std::string> names;
        for (const Column& column : file.columns) {
            EXPECT_TRUE(names.insert(column.name).second) << file.name << ": " << column.name;
            EXPECT_FALSE(column.meaning.empty()) << file.name << ": " << column.name;
        }
    }
}

}  // namespace
}  // namespace symsim
