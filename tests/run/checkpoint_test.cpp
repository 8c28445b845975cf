// SPDX-License-Identifier: MIT
// Tests --checkpoint-at and --restore from the command line: files, conditions, error messages.
// Random guests in tests/engine test that a restored run gets the right results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/elf_writer.h"
#include "tests/support/private_lines.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x0010'0000;

// mov ecx, 10000; 1: mov [0x200000], ecx; dec ecx; jnz 1b; mov eax, status; mov [power], eax; hlt
Bytes some_milliseconds(std::uint8_t status = 0) {
    return {0xb9, 0x10, 0x27,   0, 0, 0x89, 0x0d, 0,    0,    0x20, 0,    0x49, 0x75,
            0xf7, 0xb8, status, 0, 0, 0,    0xa3, 0x00, 0x10, 0x00, 0xd0, 0xf4};
}

class CheckpointTest : public ::testing::Test {
  protected:
    CheckpointTest() { guest(some_milliseconds()); }
    void guest(const Bytes& code) {
        ElfWriter().entry(kCode).code(".text", kCode, code).write(scratch.path() / "guest.elf");
    }
    std::vector<std::string> arguments(const std::vector<std::string>& options) {
        const std::string config =
            fmt::format("[machine]\nprocessors = 2\n[guest]\nimage = \"{}\"\n",
                        (scratch.path() / "guest.elf").string());
        std::vector<std::string> all = {scratch.write("config.toml", config).string(), "--quiet",
                                        "--out", out().string()};
        all.insert(all.end(), options.begin(), options.end());
        return all;
    }
    Outcome run(const std::vector<std::string>& options) { return run_symsim(arguments(options)); }
    // Takes a checkpoint of the guest at 1 ms and returns its path.
    std::string taken() {
        EXPECT_EQ(run({"--checkpoint-at", "1ms"}).exit, 0);
        const std::filesystem::path kept = scratch.path() / "kept.symsim";
        std::filesystem::rename(out() / "checkpoint-1000us.symsim", kept);
        return kept.string();
    }
    void expect_refused(const Outcome& outcome, const std::string& why) {
        EXPECT_EQ(outcome.exit, 2);
        EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    }
    std::filesystem::path out() const { return scratch.path() / "out"; }

    ScratchFolder scratch;
};

TEST_F(CheckpointTest, EachRunTakesTheSameBytes) {
    const std::string first = read_text(taken()), second = read_text(taken());
    EXPECT_GT(first.size(), 1000u);
    EXPECT_TRUE(first == second);
}

// A changed length means that a class saves other members than before. Then the version of the
// format must change too.
TEST_F(CheckpointTest, TheVersionOfTheFormatBelongsToItsLength) {
    const std::string file = read_text(taken());
    EXPECT_EQ(file.rfind("symsim checkpoint 9 ", 0), 0u);
    EXPECT_NE(file.find("\"state_bytes\":133095,"), std::string::npos)
        << "count kCheckpointVersion up, and write the new length here: "
        << file.substr(file.find("state_bytes"), 24);
}

TEST_F(CheckpointTest, ATimeAfterTheEndOfTheRunIsReported) {
    const Outcome outcome = run({"--checkpoint-at", "5s", "--checkpoint-at", "1ms"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_NE(outcome.err.find("no checkpoint at 5000000 us: the run ended at"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("no checkpoint at 1000"), std::string::npos) << outcome.err;
}

TEST_F(CheckpointTest, EachTimeGetsAFileHoweverCloseTheyAre) {
    EXPECT_EQ(run({"--checkpoint-at", "1000000ns", "--checkpoint-at", "1000001ns",
                   "--checkpoint-at", "1ms"})
                  .err,
              "");
    EXPECT_TRUE(std::filesystem::exists(out() / "checkpoint-1000us.symsim"));
    EXPECT_TRUE(std::filesystem::exists(out() / "checkpoint-1000.001us.symsim"));
}

TEST_F(CheckpointTest, ATimeNeedsAUnit) {
    for (const char* text : {"5", "us", "-1us", "0us", "1h", "1 us", "inf s", "nans", "1e9s", ""})
        expect_refused(run({std::string("--checkpoint-at=") + text}), "--checkpoint-at");
    EXPECT_EQ(run({"--checkpoint-at", "1500000ns", "--checkpoint-at", "0.002s"}).exit, 0);
    EXPECT_TRUE(std::filesystem::exists(out() / "checkpoint-1500us.symsim"));
    EXPECT_TRUE(std::filesystem::exists(out() / "checkpoint-2000us.symsim"));
}

TEST_F(CheckpointTest, ARestoredRunKeepsTheConsoleOutput) {
    // Both processors print a letter before the checkpoint and one after: mov al, 'x';
    // mov [console], al; then a loop as in some_milliseconds().
    Bytes code;
    for (char letter : {'o', 'k'}) {
        const Bytes print = {0xb0, static_cast<std::uint8_t>(letter), 0xa2, 0, 0, 0, 0xd0};
        const Bytes wait = {0xb9, 0x10, 0x27, 0, 0, 0x89, 0x0d, 0, 0, 0x20, 0, 0x49, 0x75, 0xf7};
        code.insert(code.end(), print.begin(), print.end());
        code.insert(code.end(), wait.begin(), wait.end());
    }
    const Bytes end = some_milliseconds();
    code.insert(code.end(), end.begin(), end.end());
    guest(code);
    const std::string file = taken();
    const std::string printed = read_text(out() / "console.txt");
    EXPECT_EQ(printed.size(), 4u) << printed;
    EXPECT_EQ(run({"--restore", file}).exit, 0);
    EXPECT_EQ(read_text(out() / "console.txt"), printed);
}

// A hlt takes 5 clocks, 312 ns, so one of the checkpoints is within that of processor 1.
TEST_F(CheckpointTest, AProcessorMayBeWithinItsHalt) {
    std::vector<std::string> all = {"--checkpoint-at", "1000ns"};
    for (int ns = 1250; ns <= 8000; ns += 250)
        all.insert(all.end(), {"--checkpoint-at", fmt::format("{}ns", ns)});
    write_program(scratch.path() / "guest.elf", R"(
        start: cmp dword ptr [0xc8000000], 0
               jne other
               mov ecx, 500
        next:  mov [0x200000], ecx
               dec ecx
               jnz next
               mov [0xd0001000], ecx
        other: hlt
    )");
    EXPECT_EQ(run(all).exit, 0);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(out()))
        if (entry.path().extension() == ".symsim") {
            files.push_back(scratch.path() / entry.path().filename());
            std::filesystem::rename(entry.path(), files.back());
        }
    EXPECT_EQ(files.size(), 29u);
    for (const auto& file : files) {
        const Outcome outcome = run({"--restore", file.string()});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
    }
}

TEST_F(CheckpointTest, ACheckpointOfARestoredRunIsTheSame) {
    EXPECT_EQ(run({"--checkpoint-at", "2ms"}).exit, 0);
    const std::string direct = read_text(out() / "checkpoint-2000us.symsim");
    EXPECT_EQ(run({"--restore", taken(), "--checkpoint-at", "2ms"}).exit, 0);
    EXPECT_TRUE(read_text(out() / "checkpoint-2000us.symsim") == direct);
}

TEST_F(CheckpointTest, AnotherConfigIsRefusedNamingEachKey) {
    const std::string file = taken();
    const Outcome outcome = run({"--restore", file, "--set", "machine.processors=3", "--set",
                                 "bus.store_completion_cycles=9"});
    expect_refused(outcome, "machine.processors is 3 here and 2 there");
    expect_refused(outcome, "bus.store_completion_cycles is 9 here and 8 there");
    expect_refused(run({"--restore", file, "--set", "guest.args.n=3"}), "guest.args.n is 3 here");
    expect_refused(run({"--restore", file, "--set", "observe.interval_us=7.0"}), "interval_us");
    expect_refused(run({"--restore", file, "--set", "run.limit_ms=1.0"}), "run.limit_ms");
    guest(some_milliseconds(3));
    expect_refused(run({"--restore", file}), "the guest (SHA-256)");
}

TEST_F(CheckpointTest, KeysThatChangeNoStateMayDiffer) {
    const std::string file = taken();
    EXPECT_EQ(run({"--restore", file, "--set", "observe.vcd=true", "--set", "run.limit_ms=1.5",
                   "--set", "run.engine=reference"})
                  .exit,
              5);
    const std::string trace = read_text(out() / "trace.vcd");
    EXPECT_EQ(trace.find("#9"), std::string::npos) << "nothing before a millisecond";
    EXPECT_NE(trace.find("#1400"), std::string::npos);
}

TEST_F(CheckpointTest, ADamagedFileIsRefused) {
    const std::string file = taken();
    const std::string whole = read_text(file);
    const auto with = [&](const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
        return run({"--restore", file});
    };
    for (const std::size_t at : {whole.find('{') + 5, whole.size() / 2, whole.size() - 1}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        expect_refused(with(damaged), "damaged");
    }
    expect_refused(with(whole.substr(0, whole.size() - 1)), "damaged");
    expect_refused(with(whole.substr(0, whole.find('\n'))), "damaged");
    expect_refused(with("symsim checkpoint 999 0\n"), "format 999");
    expect_refused(with("[machine]\n"), "no checkpoint");
    expect_refused(with(""), "no checkpoint");
    expect_refused(run({"--restore", (scratch.path() / "none").string()}), "there is no such file");
    EXPECT_EQ(with(whole).exit, 0);
}

TEST_F(CheckpointTest, OnlyTheFastEngineTakesThem) {
    expect_refused(run({"--checkpoint-at", "1ms", "--set", "run.engine=reference"}), "run.engine");
    expect_refused(run({"--checkpoint-at", "1ms", "--gdb", "0"}), "--gdb");
    expect_refused(run({"--restore", taken(), "--checkpoint-at", "0.5ms"}), "must be later");
}

TEST_F(CheckpointTest, AFailedWriteKeepsTheResults) {
    const std::vector<std::string> all = arguments({"--checkpoint-at", "1ms"});
    std::filesystem::create_directories(out() / "checkpoint-1000us.symsim");
    const Outcome outcome = run_symsim(all);
    EXPECT_EQ(outcome.exit, 6);
    EXPECT_NE(outcome.err.find("checkpoint-1000us.symsim"), std::string::npos) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(out() / "summary.json"));
}

}  // namespace
}  // namespace symsim::test
