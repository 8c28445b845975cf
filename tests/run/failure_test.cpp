// SPDX-License-Identifier: MIT
// What the program does when something goes wrong around it, and what it promises of its files.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/config/config.h"
#include "tests/support/elf_writer.h"
#include "tests/support/symsim_program.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr Address kCode = 0x0010'0000;

// inc eax; jmp: computes in its cache for ever
const Bytes kCount = {0x40, 0xeb, 0xfd};
// mov byte [console], 'x'; jmp: prints for ever
const Bytes kPrint = {0xc6, 0x05, 0, 0, 0, 0xd0, 'x', 0xeb, 0xf7};
// lock inc dword [data]; jmp: uses the bus for ever
const Bytes kLockForEver = {0xf0, 0xff, 0x05, 0, 0, 0x20, 0, 0xeb, 0xf7};
// mov ecx, 40; again: lock inc dword [data]; dec ecx; jnz; mov byte [console], '.'; xor eax, eax;
// mov [power], eax; hlt
const Bytes kWork = {0xb9, 40,  0,    0,    0,    0xf0, 0xff, 0x05, 0,    0,
                     0x20, 0,   0x49, 0x75, 0xf6, 0xc6, 0x05, 0,    0,    0,
                     0xd0, '.', 0x31, 0xc0, 0xa3, 0,    0x10, 0,    0xd0, 0xf4};

// A child that is symsim, for as long as it lives.
class Child {
  public:
    Child(const std::vector<std::string>& arguments, const fs::path& errors,
          const std::function<void()>& prepare = {}) {
        id_ = fork();
        if (id_ != 0) return;
        const int file = open(errors.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
        dup2(file, STDERR_FILENO);
        dup2(file, STDOUT_FILENO);
        if (prepare) prepare();
        become_symsim(arguments);
    }
    ~Child() {
        if (waited_) return;
        send(SIGKILL);
        wait();
    }
    void send(int signal) const { kill(id_, signal); }
    // Its exit code. One that does not end is killed, which is 137.
    int wait() {
        int status = 0;
        for (int n = 0; waitpid(id_, &status, WNOHANG) == 0; ++n) {
            if (n == 3000) send(SIGKILL);
            std::this_thread::sleep_for(10ms);
        }
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    pid_t id_ = 0;
    bool waited_ = false;
};

bool appears(const fs::path& file) {
    for (int n = 0; n < 1000; ++n) {
        if (fs::exists(file)) return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

class FailureTest : public ::testing::Test {
  protected:
    // The config of a guest of these bytes.
    std::string config(const Bytes& code, const std::string& more = "") const {
        ElfWriter().entry(kCode).code(".text", kCode, code).write(scratch.path() / "guest.elf");
        return config_of(scratch.path() / "guest.elf", more);
    }
    std::string config_of(const fs::path& image, const std::string& more = "") const {
        return scratch
            .write("config.toml", fmt::format("[machine]\nprocessors = 2\n[guest]\nimage = "
                                              "\"{}\"\n{}",
                                              image.string(), more))
            .string();
    }
    Outcome run(const std::string& config, std::vector<std::string> options = {"--quiet"},
                const std::string& folder = "out") const {
        std::vector<std::string> arguments = {config, "--out", (scratch.path() / folder).string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_symsim(arguments);
    }
    std::map<std::string, std::string> files(const std::string& folder = "out") const {
        return result_files(scratch.path() / folder);
    }
    nlohmann::json summary(const std::string& folder = "out") const {
        return nlohmann::json::parse(read_text(scratch.path() / folder / "summary.json"), nullptr,
                                     false);
    }
    fs::path out() const { return scratch.path() / "out"; }
    fs::path errors() const { return scratch.path() / "errors"; }

    ScratchFolder scratch;
};

// --- interrupted

TEST_F(FailureTest, CtrlCEndsTheRunOrderlyAndSaysSo) {
    for (const std::string& engine : {std::string("fast"), std::string("reference")}) {
        Child child({config(kCount, "[run]\nengine = \"" + engine + "\"\n"), "--quiet", "--out",
                     (scratch.path() / engine).string()},
                    errors());
        ASSERT_TRUE(appears(scratch.path() / engine / "config.toml"));
        std::this_thread::sleep_for(300ms);
        child.send(SIGINT);
        EXPECT_EQ(child.wait(), 130) << engine << ": " << read_text(errors());
        const nlohmann::json s = summary(engine);
        ASSERT_FALSE(s.is_discarded()) << engine;
        EXPECT_EQ(s["status"], "interrupted");
        EXPECT_EQ(s["partial"], true);
        EXPECT_GT(s["simulated_us"].get<double>(), 0);
        EXPECT_GT(s["instructions"].get<double>(), 0);
        EXPECT_EQ(files(engine).size(), 5u);
    }
}

TEST_F(FailureTest, AGuestThatIsAsleepForEverIsEndedToo) {
    // Spins of 2 processors on the clock: no bus, nothing found to be a deadlock.
    const Bytes watch_the_clock = {0xa1, 0, 0x20, 0, 0xcc, 0xeb, 0xf9};
    Child child({config(watch_the_clock), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "config.toml"));
    std::this_thread::sleep_for(200ms);
    child.send(SIGTERM);
    EXPECT_EQ(child.wait(), 130);
    EXPECT_EQ(summary()["status"], "interrupted");
}

TEST_F(FailureTest, WhatIsKilledLeavesNoSummaryNotEvenAnOldOne) {
    ASSERT_EQ(run(config(kWork)).exit, 0);
    ASSERT_TRUE(fs::exists(out() / "summary.json"));
    fs::remove(out() / "config.toml");
    Child child({config(kCount), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "config.toml"));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait(), 137);
    EXPECT_FALSE(fs::exists(out() / "summary.json"));
}

// --- outputs that cannot be written

// No file may grow beyond these bytes, which looks like a disk that is full.
std::function<void()> small_disk(rlim_t bytes) {
    return [bytes] {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, SIG_IGN);
    };
}

TEST_F(FailureTest, AFullDiskIsReportedWithTheFile) {
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
        // A trace is the only thing that may be missing where there is a summary, which says so.
        const bool trace = std::string(row.file) == "trace.vcd";
        ASSERT_EQ(fs::exists(folder / "summary.json"), trace);
        if (trace) {
            EXPECT_EQ(summary(name)["trace"]["complete"], false);
            EXPECT_EQ(summary(name)["trace"]["until_us"], 0);
        }
    }
}

// It would go on for ever; that its log cannot be written ends it, and the numbers are kept.
TEST_F(FailureTest, ALogThatCannotBeWrittenEndsTheRunWithItsNumbers) {
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

// What a run that fails has written is whole; what one that is killed has written stays as a part.
TEST_F(FailureTest, ARunThatEndsEarlyLeavesItsLog) {
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

TEST_F(FailureTest, ALogStopsAtItsLimitAndTheSummarySaysWhen) {
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

// It would go on for ever; that its console cannot be written must end it.
TEST_F(FailureTest, AConsoleThatCannotBeWrittenEndsTheRun) {
    Child child(
        {config(kPrint, "[run]\nlimit_ms = 100000.0\n"), "--quiet", "--out", out().string()},
        errors(), small_disk(60'000));
    EXPECT_EQ(child.wait(), 6);
    EXPECT_SAYS(read_text(errors()), "console.txt");
}

TEST_F(FailureTest, AFolderThatCannotBeWrittenIsReportedBeforeTheRun) {
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

TEST_F(FailureTest, CheckRunsNothingAndLeavesNothing) {
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
    // So does the config that every run leaves.
    ASSERT_EQ(run((out() / "config.toml").string(), {"--quiet"}, "third").exit, 0);
    EXPECT_TRUE(files() == files("third"));
}

TEST_F(FailureTest, ListKeysListsAllThatAConfigMayHold) {
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

// Observing must not change what is observed.
TEST_F(FailureTest, TraceAndIntervalLeaveAllNumbersAsTheyAre) {
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

// A trace of an earlier run must not be taken for one of this.
TEST_F(FailureTest, ARunWithoutTraceLeavesNoOldOne) {
    ASSERT_EQ(run(config(kWork, "[observe]\nvcd = true\ntransactions = true\n")).exit, 0);
    scratch.write("out/bus.parquet", "made of the log");
    ASSERT_EQ(run(config(kWork)).exit, 0);
    EXPECT_FALSE(fs::exists(out() / "trace.vcd"));
    EXPECT_FALSE(fs::exists(out() / "bus.log.zst"));
    EXPECT_FALSE(fs::exists(out() / "bus.parquet"));
}

// --- images

TEST_F(FailureTest, AnImageBeyondMemoryIsTheUsersMistake) {
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

TEST_F(FailureTest, WhatIsNoElfOrForAnotherMachineIsTheUsersMistake) {
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
    // The simulator itself: 64 bits, and of another kind.
    EXPECT_EQ(run(config_of(std::string(BUILD_FOLDER) + "/symsim")).exit, 2);
    EXPECT_FALSE(fs::exists(out() / "summary.json"));
}

// --- guests

TEST_F(FailureTest, APanicIsTheGuestsStatusAndSaysWhereOnTheConsole) {
    const Outcome outcome =
        run(config_of(std::string(BUILD_FOLDER) + "/guest-tests/panic.elf"), {});
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_SAYS(outcome.out, "panic on processor 1: failing, on purpose");
    EXPECT_EQ(summary()["status"], "finished");
    EXPECT_EQ(summary()["guest"]["exit_status"], 1);
}

TEST_F(FailureTest, ACrashNamesTheLinesOfTheCallsThatLedThere) {
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

// Three calls deep into an instruction that does not exist.
TEST_F(FailureTest, ACrashKeepsTheResultsAndShowsTheWayThere) {
    // processor 1 halts; outer: call +1; hlt; ud2
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
    EXPECT_EQ(files().size(), 5u);
}

}  // namespace
}  // namespace symsim::test
