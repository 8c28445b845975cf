// SPDX-License-Identifier: MIT
// Output files that cannot be written, or only in part: which results are kept, and which errors
// are reported.
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

using OutputFailureTest = FailureTest;

// Simulates a full disk: no file may grow beyond this size. The kernel sends SIGXFSZ then.
std::function<void()> small_disk(rlim_t bytes) {
    return [bytes] {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
    };
}

TEST_F(OutputFailureTest, ADiskWithoutRoomForTheSummaryIsReportedBeforeTheRun) {
    for (const rlim_t bytes : {600, 1500, 100'000}) {
        Child child({config(kLockForEver), "--out", out().string()}, errors(), small_disk(bytes));
        EXPECT_EQ(child.wait(), 6) << bytes;
        EXPECT_SAYS(read_text(errors()), (out() / "summary.json").string());
        EXPECT_SAYS(read_text(errors()), "ulimit -f");
        EXPECT_TRUE(fs::is_empty(out()));
    }
}

TEST_F(OutputFailureTest, RoomForTheSummaryIsTakenWhenTheRunBegins) {
    Child child({config(kCount), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "console.txt.part"));
    struct stat part {};
    ASSERT_EQ(stat((out() / "summary.json.part").c_str(), &part), 0);
    EXPECT_GT(part.st_blocks * 512, 100'000);
}

// A device in place of a file is written to, and /dev/full is full.
TEST_F(OutputFailureTest, AFileThatCannotBeWrittenLosesNoOther) {
    const std::vector<std::string> names = {"summary.json",  "bus.csv",   "locks.csv",
                                            "console.txt",   "trace.vcd", "bus.log.zst",
                                            "profile.folded"};
    for (const std::string& full : names) {
        fs::create_directories(out());
        fs::create_symlink("/dev/full", out() / full);
        const std::string traced =
            config(kWork, "[observe]\nvcd = true\ntransactions = true\nprofile_us = 1.0\n");
        const Outcome outcome = run(traced, {});
        EXPECT_EQ(outcome.exit, 6) << full;
        EXPECT_SAYS(outcome.err, (out() / full).string() + ": No space left on device");
        EXPECT_SAYS(outcome.err, "missing: " + full + ", manifest.json; all other");
        EXPECT_SAYS(outcome.out, "finished after") << "the terminal shows the summary";
        for (const std::string& name : names)
            EXPECT_EQ(fs::is_regular_file(out() / name), name != full) << name;
        EXPECT_TRUE(fs::exists(out() / "host.json"));
        EXPECT_FALSE(fs::exists(out() / "manifest.json"));
        // The summary does not call a trace complete that is not there.
        if (full == "trace.vcd") {
            EXPECT_SAYS(outcome.out, "trace.vcd could not be written");
            EXPECT_EQ(summary()["trace"]["complete"], false);
            EXPECT_EQ(summary()["trace"]["until_us"], 0);
            EXPECT_EQ(summary()["transactions"]["complete"], true);
        }
        fs::remove_all(out());
    }
}

TEST_F(OutputFailureTest, ATraceThatFillsTheDiskIsMissingAndTheSummarySaysSo) {
    Child child({config(kLockForEver,
                        "[run]\nlimit_ms = 1000000.0\n[observe]\nvcd = true\ninterval_us = "
                        "1000000.0\n"),
                 "--quiet", "--out", out().string()},
                errors(), small_disk(200'000));
    EXPECT_EQ(child.wait(), 6);
    EXPECT_SAYS(read_text(errors()), (out() / "trace.vcd").string());
    EXPECT_SAYS(read_text(errors()), "missing: trace.vcd, manifest.json;");
    EXPECT_EQ(summary()["trace"]["complete"], false);
    EXPECT_EQ(files().size(), 5u) << "summary, bus, locks, config, console";
}

// The guest is endless, so only the failed write of the log can end the run. The results are kept.
TEST_F(OutputFailureTest, ALogThatCannotBeWrittenEndsTheRunAndKeepsItsResults) {
    Child child({config(kLockForEver,
                        "[run]\nlimit_ms = 1000000.0\n[observe]\ntransactions = true\n"
                        "interval_us = 1000000.0\n"),
                 "--quiet", "--out", out().string()},
                errors(), small_disk(200'000));
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
                errors(), small_disk(200'000));
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
    EXPECT_TRUE(comes_true([&] { return fs::file_size(out() / "bus.log.zst.part") > 0; }));
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
        errors(), small_disk(200'000));
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
