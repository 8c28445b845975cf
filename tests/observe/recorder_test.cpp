// SPDX-License-Identifier: MIT
#include "sim/observe/recorder.h"

#include <memory>
#include <utility>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/observe/transaction_log.h"
#include "sim/observe/vcd_writer.h"
#include "tests/observe/report_for_test.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::use;

class RecorderTest : public testing::InFolder {
  protected:
    std::unique_ptr<TraceSink> vcd() const {
        return std::make_unique<VcdWriter>(TraceConfig{folder_ / "trace.vcd"});
    }
    std::unique_ptr<TraceSink> log(unsigned processors,
                                   const std::string& name = "bus.log.zst") const {
        return std::make_unique<TransactionLog>(TraceConfig{folder_ / name, 1 << 20, {processors}});
    }
    template <class... Sink>
    static TraceSinks sinks(Sink... sink) {
        TraceSinks all;
        (all.push_back(std::move(sink)), ...);
        return all;
    }
    void save_all(Recorder& recorder) const {
        ResultFiles files(folder_);
        EXPECT_FALSE(recorder.save_traces(files));
        files.check();
    }
};

TEST_F(RecorderTest, SmallRunIsAccountedToThePicosecond) {
    const RunReport report = testing::report_for_test();
    const auto states = [&](ProcessorId p, ProcessorState s) {
        return report.processors[p].states()[index(s)];
    };
    EXPECT_EQ(report.end, 25 * kUs);
    EXPECT_EQ(states(0, ProcessorState::waiting), 2 * kUs);
    EXPECT_EQ(states(0, ProcessorState::served), 5 * kUs);
    EXPECT_EQ(states(0, ProcessorState::halted), 5 * kUs);
    EXPECT_EQ(states(0, ProcessorState::executing), 13 * kUs);
    EXPECT_EQ(states(1, ProcessorState::executing), 23 * kUs);
    EXPECT_EQ(report.processors[0].activities()[index(Activity::critical)], 14 * kUs);
    EXPECT_EQ(report.processors[1].activities()[index(Activity::spin)], 22 * kUs);
    EXPECT_EQ(report.bus.busy, 3'500'000);
    ASSERT_EQ(report.intervals.size(), 3u);
    EXPECT_EQ(report.intervals[0].busy(), 1'500'000);
    EXPECT_EQ(report.intervals[1].busy(), 2 * kUs);
    ASSERT_EQ(report.locks.size(), 1u);
    EXPECT_EQ(report.locks[0].all.holds.sum, 14 * kUs);
    EXPECT_EQ(report.locks[0].all.open_wait, 22 * kUs);
    EXPECT_TRUE(report.traces.empty());
}

TEST_F(RecorderTest, TraceChangesNoNumber) {
    RecorderConfig config{{1}, 100 * kMicrosecond};
    config.run.processors = 2;
    config.interval = 10 * kUs;
    Recorder recorder(config, sinks(vcd()));
    testing::play(recorder);
    recorder.finish(25 * kUs);
    RunReport report;
    recorder.fill(report, nullptr);
    EXPECT_EQ(report.bus.busy, testing::report_for_test().bus.busy);
    ASSERT_TRUE(report.trace("trace.vcd"));
    EXPECT_TRUE(report.trace("trace.vcd")->complete);
    EXPECT_EQ(report.trace("trace.vcd")->from, 0);
    EXPECT_EQ(report.trace("trace.vcd")->until, 25 * kUs);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "trace.vcd"));
    save_all(recorder);
    EXPECT_NE(testing::contents(folder_ / "trace.vcd").find("slocked_read #"), std::string::npos);
}

// The bus grants the transaction while the processor waits, or before the wait begins.
TEST_F(RecorderTest, WaitReportedInOneCallGivesTheSameStates) {
    for (const Time granted : {4 * kUs, 2 * kUs}) {
        const auto record = [&](const std::string& name, auto tell) {
            RecorderConfig config{{1}, 100 * kMicrosecond};
            Recorder recorder(config, sinks(log(1, name)));
            tell(recorder);
            recorder.finish(10 * kUs);
            save_all(recorder);
            RunReport report;
            recorder.fill(report, nullptr);
            return std::pair(report.processors[0].states(), testing::contents(folder_ / name));
        };
        const auto by_one = record("a", [&](Recorder& recorder) {
            recorder.waited(0, {3 * kUs, granted, 7 * kUs});
        });
        const auto by_three = record("b", [&](Recorder& recorder) {
            if (granted > 3 * kUs) recorder.waiting(0, 3 * kUs);
            recorder.served(0, std::max(granted, 3 * kUs));
            recorder.resumed(0, 7 * kUs);
        });
        EXPECT_EQ(by_one, by_three);
        EXPECT_EQ(by_one.first[index(ProcessorState::waiting)],
                  std::max(granted - 3 * kUs, Time{0}));
    }
}

// The run has uses granted at 5, 9 and 13 us.
TEST_F(RecorderTest, WindowShowsUsesGrantedInItAndChangesNoNumber) {
    struct Row {
        Time from, to;
        std::vector<std::string> times;
    };
    for (const Row& row :
         std::vector<Row>{{9 * kUs, 13 * kUs, {"#9000000", "#11000000", "#13000000"}},
                          {5'000'001, 9'000'001, {"#5000001", "#9000000", "#9000001"}},
                          {13 * kUs, kNever, {"#13000000", "#14000000", "#25000000"}},
                          {30 * kUs, kNever, {"#30000000"}}}) {
        RecorderConfig config{{1}, 100 * kMicrosecond};
        config.run.processors = 2;
        config.window.fixed = {row.from, row.to};
        Recorder recorder(config, sinks(vcd()));
        testing::play(recorder);
        recorder.finish(25 * kUs);
        save_all(recorder);
        RunReport report;
        recorder.fill(report, nullptr);
        EXPECT_EQ(report.bus.busy, testing::report_for_test().bus.busy);
        EXPECT_EQ(report.trace("trace.vcd")->from, std::min(row.from, 25 * kUs));
        EXPECT_EQ(report.trace("trace.vcd")->until, std::min(row.to, 25 * kUs));
        std::vector<std::string> times;
        std::istringstream in(testing::contents(folder_ / "trace.vcd"));
        for (std::string line; std::getline(in, line);)
            if (line[0] == '#') times.push_back(line);
        EXPECT_EQ(times, row.times);
    }
}

TEST_F(RecorderTest, LogIsWrittenBesideATraceAndReported) {
    RecorderConfig config{{1}, 100 * kMicrosecond};
    config.run.processors = 2;
    config.interval = 10 * kUs;
    EXPECT_FALSE(Recorder(config).wants_progress());
    Recorder recorder(config, sinks(vcd(), log(2)));
    EXPECT_TRUE(recorder.wants_progress());
    testing::play(recorder);
    recorder.finish(25 * kUs);
    save_all(recorder);
    RunReport report;
    recorder.fill(report, nullptr);
    ASSERT_TRUE(report.trace("trace.vcd"));
    ASSERT_TRUE(report.trace("bus.log.zst"));
    EXPECT_EQ(report.trace("bus.log.zst")->file, "bus.log.zst");
    EXPECT_TRUE(report.trace("bus.log.zst")->complete);
    EXPECT_EQ(report.trace("bus.log.zst")->until, 25 * kUs);
    EXPECT_GT(std::filesystem::file_size(folder_ / "bus.log.zst"), 100u);
}

TEST_F(RecorderTest, FailedTraceDoesNotLoseTheOther) {
    std::filesystem::create_symlink("/dev/full", folder_ / "trace.vcd");
    RecorderConfig config{{1}, 100 * kMicrosecond};
    config.run.processors = 2;
    Recorder recorder(config, sinks(vcd(), log(2)));
    testing::play(recorder);
    recorder.finish(25 * kUs);
    ResultFiles files(folder_);
    // The trace fits the buffer of its file, so it fails only now.
    EXPECT_TRUE(recorder.save_traces(files));
    RunReport report;
    recorder.fill(report, nullptr);
    EXPECT_FALSE(report.trace("trace.vcd")->complete);
    EXPECT_EQ(report.trace("trace.vcd")->until, 0);
    EXPECT_TRUE(report.trace("trace.vcd")->failed);
    EXPECT_TRUE(report.trace("bus.log.zst")->complete);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "bus.log.zst"));
    EXPECT_THROW(files.check(), OutputError);
}

TEST_F(RecorderTest, NumbersAreKeptIfATraceFillsTheDisk) {
    std::filesystem::create_symlink("/dev/full", folder_ / "trace.vcd");
    RecorderConfig config{{1}, 100 * kMicrosecond};
    Recorder recorder(config, sinks(vcd()));
    for (Time t = 0; t < 10'000; ++t) recorder.used(use(t * 1'000, t * 1'000, 500));
    EXPECT_TRUE(recorder.trace_failed());
    recorder.finish(10 * kUs);
    RunReport report;
    recorder.fill(report, nullptr);
    EXPECT_EQ(report.bus.busy, 5 * kUs);
    ASSERT_TRUE(report.trace("trace.vcd"));
    EXPECT_FALSE(report.trace("trace.vcd")->complete);
    ResultFiles files(folder_);
    EXPECT_FALSE(recorder.save_traces(files)) << "the report has it already";
    EXPECT_THROW(files.check(), OutputError);
}

}  // namespace
}  // namespace symsim
