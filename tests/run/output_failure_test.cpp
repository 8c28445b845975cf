// SPDX-License-Identifier: MIT
// Output files that cannot be written, or only in part: which results are kept, and which errors
// are reported.
#include <sys/resource.h>

#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

using OutputFailureTest = FailureTest;

// Simulates a full disk: no file may grow beyond this size.
std::function<void()> small_disk(rlim_t bytes) {
    return [bytes] {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
    };
}

TEST_F(OutputFailureTest, AFullDiskIsReportedWithTheFile) {
    struct Row {
        rlim_t bytes;
        const char* more;
        const char* file;
    };
    for (const Row& row :
         {Row{600, "", "config.toml"}, Row{1500, "", "summary.json"},
          Row{12000, "[observe]\nvcd = true\ninterval_us = 1000.0\n", "trace.vcd"}}) {
        const std::string name = std::string("out-") + row.file;
        const fs::path folder = scratch.path() / name;
        Child child({config(kWork, row.more), "--quiet", "--out", folder.string()}, errors(),
                    small_disk(row.bytes));
        EXPECT_EQ(child.wait(), 6) << row.file;
        EXPECT_SAYS(read_text(errors()), (folder / row.file).string());
        for (const auto& [left, bytes] : files(name))
            EXPECT_EQ(left.find(".part"), std::string::npos) << "half a file is left: " << left;
        // If a summary exists, only a trace may be missing, and the summary says so.
        const bool trace = std::string(row.file) == "trace.vcd";
        ASSERT_EQ(fs::exists(folder / "summary.json"), trace);
        if (trace) {
            EXPECT_EQ(summary(name)["trace"]["complete"], false);
            EXPECT_EQ(summary(name)["trace"]["until_us"], 0);
        }
    }
}

// The guest is endless, so only the failed write of the log can end the run. The results are kept.
TEST_F(OutputFailureTest, ALogThatCannotBeWrittenEndsTheRunAndKeepsItsResults) {
    Child child({config(kLockForEver,
                        "[run]\nlimit_ms = 1000000.0\n[observe]\ntransactions = true\n"
                        "interval_us = 1000000.0\n"),
                 "--quiet", "--out", out().string()},
                errors(), small_disk(100'000));
    EXPECT_EQ(child.wait(), 6);
    EXPECT_SAYS(read_text(errors()), (out() / "bus.log.zst").string());
    const nlohmann::json s = summary();
    ASSERT_FALSE(s.is_discarded());
    EXPECT_EQ(s["transactions"]["complete"], false);
    EXPECT_EQ(s["transactions"]["until_us"], 0);
    EXPECT_GT(s["bus"]["all_transactions"], 1000);
    EXPECT_EQ(files().size(), 5u) << "summary, bus, locks, config, console";
}

// The Perfetto trace, too, is written while the run continues.
TEST_F(OutputFailureTest, APerfettoTraceThatCannotBeWrittenEndsTheRunAndKeepsItsResults) {
    Child child({config(kLockForEver,
                        "[run]\nlimit_ms = 1000000.0\n[observe]\nperfetto = true\n"
                        "interval_us = 1000000.0\n"),
                 "--quiet", "--out", out().string()},
                errors(), small_disk(100'000));
    EXPECT_EQ(child.wait(), 6);
    EXPECT_SAYS(read_text(errors()), (out() / "trace.pftrace").string());
    const nlohmann::json s = summary();
    ASSERT_FALSE(s.is_discarded());
    EXPECT_EQ(s["perfetto"]["complete"], false);
    EXPECT_EQ(s["perfetto"]["until_us"], 0);
    EXPECT_GT(s["bus"]["all_transactions"], 1000);
    EXPECT_EQ(files().size(), 5u) << "summary, bus, locks, config, console";
}

// A run that reaches its time limit leaves a complete log. A run that is killed leaves the part it
// has written, as a .part file.
TEST_F(OutputFailureTest, ARunThatEndsEarlyLeavesItsLog) {
    const std::string limited = config(kLockForEver, "[observe]\ntransactions = true\n");
    ASSERT_EQ(run(limited, {"--quiet", "--set", "run.limit_ms=2.5"}).exit, 5);
    EXPECT_TRUE(fs::exists(out() / "bus.log.zst"));
    EXPECT_EQ(summary()["transactions"]["complete"], true);
    EXPECT_EQ(summary()["transactions"]["until_us"], 2500);

    Child child({limited, "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "bus.log.zst.part"));
    for (int n = 0; n < 1000 && fs::file_size(out() / "bus.log.zst.part") == 0; ++n)
        std::this_thread::sleep_for(10ms);
    child.send(SIGKILL);
    child.wait();
    EXPECT_FALSE(fs::exists(out() / "bus.log.zst")) << "that of the run before";
    EXPECT_GT(fs::file_size(out() / "bus.log.zst.part"), 0u);
    EXPECT_FALSE(fs::exists(out() / "summary.json"));
}

TEST_F(OutputFailureTest, ALogStopsAtItsLimitAndTheSummarySaysWhen) {
    const std::string file = config(kLockForEver, "[run]\nlimit_ms = 40.0\n");
    const Outcome outcome = run(
        file, {"--set", "observe.transactions=true", "--set", "observe.transactions_limit_mb=1"});
    EXPECT_EQ(outcome.exit, 5);
    EXPECT_SAYS(outcome.out, "bus.log.zst ends at ");
    const nlohmann::json s = summary();
    EXPECT_EQ(s["transactions"]["complete"], false);
    EXPECT_GT(s["transactions"]["until_us"], 1000);
    EXPECT_LT(s["transactions"]["until_us"], 40'000);
    EXPECT_EQ(s["trace"], nullptr);
}

// The guest is endless, so only the failed write of its console output can end the run.
TEST_F(OutputFailureTest, AConsoleThatCannotBeWrittenEndsTheRun) {
    Child child(
        {config(kPrint, "[run]\nlimit_ms = 100000.0\n"), "--quiet", "--out", out().string()},
        errors(), small_disk(60'000));
    EXPECT_EQ(child.wait(), 6);
    EXPECT_SAYS(read_text(errors()), "console.txt");
}

TEST_F(OutputFailureTest, AFolderThatCannotBeWrittenIsReportedBeforeTheRun) {
    scratch.write("file", "");
    for (const std::string& folder :
         {std::string("/proc/nothing"), (scratch.path() / "file").string(),
          (scratch.path() / "file" / "below").string()}) {
        const Outcome outcome =
            run_symsim({config(kCount, "[run]\nlimit_ms = 50.0\n"), "--quiet", "--out", folder});
        EXPECT_EQ(outcome.exit, 6) << folder;
        EXPECT_SAYS(outcome.err, folder);
        EXPECT_SAYS(outcome.err, "--out");
    }
}

}  // namespace
}  // namespace symsim::test
