// SPDX-License-Identifier: MIT
// Runs the whole program, from a config file to the files of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run/failure_case.h"
#include "tests/support/elf_writer.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

class RunTest : public ::testing::Test {
  protected:
    // Runs a guest with this code on two processors.
    Outcome run(const Bytes& code, const std::string& more = "",
                const std::vector<std::string>& options = {"--quiet"}) {
        ElfWriter().entry(kCode).code(".text", kCode, code).write(scratch.path() / "guest.elf");
        const std::string config =
            fmt::format("[machine]\nprocessors = 2\n[guest]\nimage = \"{}\"\n{}",
                        (scratch.path() / "guest.elf").string(), more);
        std::vector<std::string> arguments = {scratch.write("config.toml", config).string(),
                                              "--out", out().string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_symsim(arguments);
    }
    std::filesystem::path out() const { return scratch.path() / "out"; }
    std::string summary() const { return read_text(out() / "summary.json"); }

    ScratchFolder scratch;
};

// mov eax, status; mov [power], eax; hlt
Bytes power_off(std::uint8_t status) {
    return {0xb8, status, 0, 0, 0, 0xa3, 0x00, 0x10, 0x00, 0xd0, 0xf4};
}

TEST_F(RunTest, TheGuestsStatusBecomesTheExitCode) {
    EXPECT_EQ(run(power_off(0)).exit, 0);
    EXPECT_EQ(run(power_off(7)).exit, 1);
    EXPECT_NE(summary().find("\"exit_status\": 7"), std::string::npos);
}

// mov esi, text; 1: lodsb; test al, al; jz 2f; mov [results], al; jmp 1b; 2: power off with 0.
TEST_F(RunTest, AResultReportedTwiceHasItsLastValueInItsFirstPlace) {
    Bytes code = {0xbe, 0x20, 0,    0x10, 0,    0xac, 0x84, 0xc0, 0x74, 0x07, 0xa2, 0,
                  0x20, 0,    0xd0, 0xeb, 0xf4, 0x31, 0xc0, 0xa3, 0,    0x10, 0,    0xd0};
    code.resize(0x20, 0xf4);
    for (const char c : std::string("first 1\nsecond 2\nfirst 3\n"))
        code.push_back(static_cast<std::uint8_t>(c));
    code.push_back(0);
    const Outcome outcome = run(code, "", {"--set", "machine.processors=1"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_NE(summary().find("\"first\": 3,\n      \"second\": 2\n"), std::string::npos)
        << summary();
    const std::size_t first = outcome.out.find("  first "), second = outcome.out.find("  second ");
    EXPECT_LT(first, second) << outcome.out;
    EXPECT_EQ(outcome.out.find("  first ", first + 1), std::string::npos) << outcome.out;
}

TEST_F(RunTest, ACheckFindsWhatTheRunWouldRefuse) {
    ElfWriter()
        .entry(kCode)
        .code(".text", kCode, power_off(0))
        .data(".data", 0x20'0000, Bytes(4096))
        .symbol("symsim_boot_args", 0x20'0000, 4096, ElfWriter::Symbol::object)
        .write(scratch.path() / "guest.elf");
    const auto check = [&](const std::string& more, const std::vector<std::string>& options = {}) {
        const std::string config = "guest.image = \"guest.elf\"\n" + more;
        std::vector<std::string> all = {scratch.write("config.toml", config).string(), "--out",
                                        out().string(), "--check"};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = run_symsim(all);
        EXPECT_FALSE(std::filesystem::exists(out()));
        return outcome;
    };
    EXPECT_EQ(check("").exit, 0);
    std::string arguments = "[guest.args]\n";
    for (unsigned n = 0; n < 1000; ++n) arguments += fmt::format("a{} = {}\n", n, n);
    const std::string window =
        "[observe.window]\naround = \"lock_acquired\"\naround_value = \"nothing\"\n";
    for (const Outcome& outcome : {check(arguments), check(window), check("memory.size_mb = 1\n")})
        EXPECT_EQ(outcome.exit, 2) << outcome.err << outcome.out;
}

TEST_F(RunTest, AnUndefinedInstructionIsReportedWithAddressAndBytes) {
    const Outcome outcome = run({0x90, 0x0f, 0x0b}, "", {});  // nop; ud2
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_NE(summary().find("guest-failure"), std::string::npos);
    EXPECT_NE((outcome.out + outcome.err).find("0f 0b"), std::string::npos) << outcome.out;
    EXPECT_NE((outcome.out + outcome.err).find("0x00100001"), std::string::npos) << outcome.out;
}

TEST_F(RunTest, QuietStillSaysWhyAGuestFailed) {
    const Outcome outcome = run({0x0f, 0x0b}, "", {"--quiet"});
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_NE(outcome.err.find("0f 0b"), std::string::npos) << outcome.err;
}

TEST_F(RunTest, AJumpOutsideMemoryIsReported) {
    const Outcome outcome = run({0xb8, 0, 0, 0, 0x70, 0xff, 0xe0}, "", {});
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_NE((outcome.out + outcome.err).find("0x70000000"), std::string::npos) << outcome.out;
}

TEST_F(RunTest, AStoreWhereThereIsNoDeviceIsReported) {
    const Outcome outcome = run({0xa3, 0, 0, 0, 0xe0}, "", {});
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_NE((outcome.out + outcome.err).find("0xe0000000"), std::string::npos) << outcome.out;
}

TEST_F(RunTest, AllHaltedIsADeadlock) {
    EXPECT_EQ(run({0xf4}).exit, 4);
    EXPECT_NE(summary().find("\"deadlock\""), std::string::npos);
}

TEST_F(RunTest, LoopsThatNoProcessorCanEndAreADeadlockInBothEngines) {
    const Bytes spin = {0x80, 0x3d, 0, 0, 0x20, 0, 0, 0x74, 0xf7};  // cmp byte [x], 0; je
    EXPECT_EQ(run(spin).exit, 4);
    const std::string fast = summary();
    EXPECT_EQ(run(spin, "[run]\nengine = \"reference\"\n").exit, 4);
    EXPECT_EQ(summary(), fast);
}

TEST_F(RunTest, TheTimeLimitEndsAnEndlessGuest) {
    const Bytes count = {0x40, 0xeb, 0xfd};  // inc eax; jmp
    EXPECT_EQ(run(count, "[run]\nlimit_ms = 2.0\n").exit, 5);
    EXPECT_NE(summary().find("\"simulated_us\": 2000"), std::string::npos) << summary();
}

TEST_F(RunTest, AMissingImageIsAUserError) {
    const std::string config =
        scratch.write("config.toml", "[guest]\nimage = \"nowhere\"\n").string();
    const Outcome outcome = run_symsim({config, "--out", out().string()});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("nowhere"), std::string::npos);
}

TEST_F(RunTest, AnOutputFolderThatCannotBeCreatedIsReported) {
    const Outcome outcome = run(power_off(0), "", {"--quiet", "--out", "/proc/nothing"});
    EXPECT_NE(outcome.exit, 0);
}

}  // namespace
}  // namespace symsim::test
