// SPDX-License-Identifier: MIT
// What symsim does when something goes wrong outside of it (signals, wrong images, crashing
// guests), and what it guarantees for its options and files.
#include "sim/config/config.h"
#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

// --- interrupted

TEST_F(FailureTest, CtrlCEndsTheRunCleanlyAndIsReported) {
    for (const std::string& engine : {std::string("fast"), std::string("reference")}) {
        Child child({config(kCount, "[run]\nengine = \"" + engine + "\"\n"), "--quiet", "--out",
                     (scratch.path() / engine).string()},
                    errors());
        ASSERT_TRUE(appears(scratch.path() / engine / "config.toml"));
        ASSERT_TRUE(child.computes_for(300ms));
        child.send(SIGINT);
        EXPECT_EQ(child.wait(), 130) << engine << ": " << read_text(errors());
        const nlohmann::json s = summary(engine);
        ASSERT_FALSE(s.is_discarded()) << engine;
        EXPECT_EQ(s["status"], "interrupted");
        EXPECT_EQ(s["partial"], true);
        EXPECT_SAYS(read_text(errors()), ": executes, at 0x0010000");
        EXPECT_EQ(s["positions"].size(), 2u);
        EXPECT_GT(s["simulated_us"].get<double>(), 0);
        EXPECT_GT(s["instructions"].get<double>(), 0);
        EXPECT_EQ(files(engine).size(), 6u);
    }
}

TEST_F(FailureTest, SigtermEndsAGuestThatOnlyReadsTheClock) {
    // 2 processors spin on the clock: they do not use the bus, and are not found to be deadlocked.
    const Bytes watch_the_clock = {0xa1, 0, 0x20, 0, 0xcc, 0xeb, 0xf9};
    Child child({config(watch_the_clock), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "config.toml"));
    ASSERT_TRUE(child.computes_for(200ms));
    child.send(SIGTERM);
    EXPECT_EQ(child.wait(), 130);
    EXPECT_EQ(summary()["status"], "interrupted");
}

// The terminal is closed. A program that nohup has started continues.
TEST_F(FailureTest, SighupEndsARunUnlessItIsIgnored) {
    for (const bool ignored : {false, true}) {
        Child child({config(kCount), "--quiet", "--out", out().string()}, errors(),
                    [&] { std::signal(SIGHUP, ignored ? SIG_IGN : SIG_DFL); });
        ASSERT_TRUE(appears(out() / "console.txt.part"));
        child.send(SIGHUP);
        if (ignored) {
            EXPECT_TRUE(child.computes_for(200ms));
            child.send(SIGTERM);
        }
        EXPECT_EQ(child.wait(), 130);
        EXPECT_EQ(summary()["status"], "interrupted");
        EXPECT_TRUE(fs::exists(out() / "manifest.json"));
        fs::remove_all(out());
    }
}

TEST_F(FailureTest, AKilledRunLeavesNoSummaryNotEvenAnOldOne) {
    ASSERT_EQ(run(config(kWork)).exit, 0);
    ASSERT_TRUE(fs::exists(out() / "summary.json"));
    fs::remove(out() / "config.toml");
    Child child({config(kCount), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "config.toml"));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait(), 137);
    EXPECT_FALSE(fs::exists(out() / "summary.json"));
}

// --- options

TEST_F(FailureTest, JsonPrintsExactlyTheSummaryFile) {
    const Outcome outcome = run(config(kWork), {"--json"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_EQ(outcome.out, read_text(out() / "summary.json"));
    EXPECT_EQ(outcome.err, "");
    EXPECT_FALSE(outcome.out.empty());
}

TEST_F(FailureTest, QuietPrintsNothing) {
    const Outcome outcome = run(config(kWork));
    EXPECT_EQ(outcome.out + outcome.err, "");
    EXPECT_NE(run(config(kWork), {}).out, "");
}

TEST_F(FailureTest, CheckRunsNothingAndWritesNothing) {
    const Outcome outcome = run(config(kCount, "[run]\nlimit_ms = 50.0\n"), {"--check"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_SAYS(outcome.out, "sound");
    EXPECT_FALSE(fs::exists(out()));
    const Outcome wrong = run(config_of("/no/such.elf"), {"--check"});
    EXPECT_EQ(wrong.exit, 2);
    EXPECT_SAYS(wrong.err, "such.elf");
}

TEST_F(FailureTest, ThePrintedConfigReproducesTheRunToTheByte) {
    const std::string more =
        "[cache]\nways = 4\n[bus]\narbitration = \"fixed\"\n[guest.args]\ntext = \"a \\\"b\\\" = "
        "c\"\nnumber = -3\nyes = true\n";
    const std::string file = config(kWork, more);
    ASSERT_EQ(run(file, {"--quiet", "--set", "memory.latency_cycles=5"}).exit, 0);
    const Outcome printed = run(file, {"--print-config", "--set", "memory.latency_cycles=5"}, "no");
    EXPECT_EQ(printed.exit, 0);
    EXPECT_FALSE(fs::exists(scratch.path() / "no")) << "printing runs nothing";
    EXPECT_SAYS(printed.out, "latency_cycles = 5");
    ASSERT_EQ(run(scratch.write("printed.toml", printed.out), {"--quiet"}, "again").exit, 0);
    EXPECT_TRUE(files() == files("again"));
    // The config.toml that every run leaves reproduces the run too.
    ASSERT_EQ(run((out() / "config.toml").string(), {"--quiet"}, "third").exit, 0);
    EXPECT_TRUE(files() == files("third"));
}

TEST_F(FailureTest, ListKeysListsAllKeysOfAConfig) {
    const Outcome list = run_symsim({"--list-keys"});
    EXPECT_EQ(list.exit, 0);
    const Outcome printed = run_symsim({config(kWork), "--print-config"});
    std::string table;
    unsigned keys = 0;
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        if (line[0] == '[') {
            table = line.substr(1, line.size() - 2);
            continue;
        }
        EXPECT_SAYS(list.out, table + "." + line.substr(0, line.find(' ')));
        ++keys;
    }
    EXPECT_GT(keys, 25u);
    EXPECT_EQ(run_symsim({"--help"}).exit, 0);
    EXPECT_SAYS(run_symsim({"--version"}).out, "symsim");
    EXPECT_EQ(run_symsim({}).exit, 2);
    EXPECT_EQ(run_symsim({"--no-such-option"}).exit, 2);
}

// Observing a run must not change its results.
TEST_F(FailureTest, TracesAndIntervalsChangeNoResults) {
    const std::string file = config(kWork);
    const auto numbers = [&](const std::string& folder, const std::vector<std::string>& settings) {
        std::vector<std::string> options = {"--quiet"};
        for (const std::string& setting : settings) {
            options.push_back("--set");
            options.push_back(setting);
        }
        EXPECT_EQ(run(file, options, folder).exit, 0);
        nlohmann::json s = summary(folder);
        s.erase("config");
        s.erase("trace");
        s.erase("transactions");
        s["bus"].erase("interval_us");
        return s;
    };
    const nlohmann::json plain = numbers("plain", {});
    EXPECT_EQ(plain["status"], "finished");
    const auto differs = [&](const std::string& folder, const std::vector<std::string>& settings) {
        return nlohmann::json::diff(plain, numbers(folder, settings)).dump();
    };
    EXPECT_EQ(differs("vcd", {"observe.vcd=true"}), "[]");
    EXPECT_TRUE(fs::exists(scratch.path() / "vcd" / "trace.vcd"));
    EXPECT_FALSE(fs::exists(scratch.path() / "plain" / "trace.vcd"));
    EXPECT_EQ(differs("log", {"observe.transactions=true"}), "[]");
    EXPECT_TRUE(fs::exists(scratch.path() / "log" / "bus.log.zst"));
    EXPECT_FALSE(fs::exists(scratch.path() / "plain" / "bus.log.zst"));
    EXPECT_EQ(differs("fine", {"observe.interval_us=0.5"}), "[]");
    EXPECT_EQ(differs("coarse", {"observe.interval_us=1000000.0"}), "[]");
    EXPECT_EQ(differs("both", {"observe.vcd=true", "observe.interval_us=3.7"}), "[]");
    EXPECT_GT(files("fine")["bus.csv"].size(), files("coarse")["bus.csv"].size());
}

// A trace of an earlier run must not be mistaken for a trace of this run.
TEST_F(FailureTest, ARunWithoutTracesRemovesOldOnes) {
    ASSERT_EQ(run(config(kWork, "[observe]\nvcd = true\ntransactions = true\n")).exit, 0);
    scratch.write("out/bus.parquet", "made of the log");
    ASSERT_EQ(run(config(kWork)).exit, 0);
    EXPECT_FALSE(fs::exists(out() / "trace.vcd"));
    EXPECT_FALSE(fs::exists(out() / "bus.log.zst"));
    EXPECT_FALSE(fs::exists(out() / "bus.parquet"));
}

// --- images

TEST_F(FailureTest, AnImageBeyondMemoryIsAUserError) {
    ElfWriter()
        .entry(kCode)
        .code(".text", kCode, kWork)
        .data(".data", 0x0030'0000, {1}, 0x1f'ffff)
        .write(scratch.path() / "big.elf");
    const Outcome outcome = run(config_of(scratch.path() / "big.elf", "[memory]\nsize_mb = 4\n"));
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "memory.size_mb");
    EXPECT_EQ(run(config_of(scratch.path() / "big.elf", "[memory]\nsize_mb = 5\n")).exit, 0);
}

TEST_F(FailureTest, AFileThatIsNoElfOrForAnotherMachineIsAUserError) {
    scratch.write("text.elf", "not an ELF file at all\n");
    Outcome outcome = run(config_of(scratch.path() / "text.elf"));
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "text.elf");
    ElfWriter()
        .machine(62)
        .entry(kCode)
        .code(".text", kCode, kWork)
        .write(scratch.path() / "x86-64.elf");
    outcome = run(config_of(scratch.path() / "x86-64.elf"));
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "x86-64.elf");
    // The simulator itself is not a 386 image either.
    EXPECT_EQ(run(config_of(std::string(BUILD_FOLDER) + "/symsim")).exit, 2);
    EXPECT_FALSE(fs::exists(out() / "summary.json"));
}

// --- guests

TEST_F(FailureTest, APanicSetsTheExitStatusAndPrintsToTheConsole) {
    const Outcome outcome =
        run(config_of(std::string(BUILD_FOLDER) + "/guest-tests/panic.elf"), {});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_SAYS(outcome.out, "panic on processor 1: failing, on purpose");
    EXPECT_EQ(summary()["status"], "finished");
    EXPECT_EQ(summary()["guest"]["exit_status"], 1);
}

TEST_F(FailureTest, ACrashReportHasTheSourceLinesOfTheBacktrace) {
    const Outcome outcome =
        run(config_of(std::string(BUILD_FOLDER) + "/guest-tests/crash.elf"), {});
    EXPECT_EQ(outcome.exit, 3);
    const nlohmann::json failure = summary()["failure"];
    EXPECT_EQ(failure["source"], "tests/guest/crash.c:9");
    const std::vector<std::string> backtrace = failure["backtrace"];
    ASSERT_GE(backtrace.size(), 3u);
    EXPECT_SAYS(backtrace[0], " divide");
    EXPECT_SAYS(backtrace[0], "(tests/guest/crash.c:9)");
    EXPECT_SAYS(backtrace[1], " mean+");
    EXPECT_SAYS(backtrace[1], "(tests/guest/crash.c:15)");
    EXPECT_SAYS(backtrace[2], " main+");
    EXPECT_SAYS(backtrace[2], "(tests/guest/crash.c:21)");
    EXPECT_SAYS(outcome.out, "tests/guest/crash.c:9\n");
    const Outcome quiet = run(config_of(std::string(BUILD_FOLDER) + "/guest-tests/crash.elf"));
    EXPECT_SAYS(quiet.err, "divide");
    EXPECT_SAYS(quiet.err, ", tests/guest/crash.c:9 (");
}

// Processor 0 calls a function whose first instruction does not exist.
TEST_F(FailureTest, ACrashKeepsTheResultsAndReportsItsAddress) {
    // processor 1 halts; processor 0: call +1; hlt; ud2
    const Bytes crash = {0xa1, 0,    0, 0,    0xc8, 0x85, 0xc0, 0x74, 0x01, 0xf4, 0xbc, 0,
                         0,    0x30, 0, 0xe8, 1,    0,    0,    0,    0xf4, 0x0f, 0x0b};
    const Outcome outcome = run(config(crash), {});
    EXPECT_EQ(outcome.exit, 3);
    const nlohmann::json s = summary();
    EXPECT_EQ(s["status"], "guest-failure");
    EXPECT_EQ(s["partial"], true);
    EXPECT_EQ(s["failure"]["processor"], 0);
    EXPECT_SAYS(s["failure"].dump(), "0x00100015");
    EXPECT_SAYS(outcome.out + outcome.err, "0x00100015");
    EXPECT_EQ(files().size(), 6u);
}

}  // namespace
}  // namespace symsim::test
