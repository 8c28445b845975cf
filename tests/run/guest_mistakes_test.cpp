// SPDX-License-Identifier: MIT
// Mistakes of a guest or of its config that must not stay silent: execution without code, arguments
// that nobody looks up, a locked access to a device, and the cause of an exit status. Both engines
// report the same.
#include <array>

#include "tests/run/failure_case.h"
#include "tests/support/assembler.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

const std::string kCounter = std::string(BUILD_FOLDER) + "/guest/counter-read.elf";

class GuestMistakesTest : public FailureTest {
  protected:
    // Runs with both engines, and compares exit code, messages and files. Returns the outcome.
    Outcome run_both(const std::string& config, const std::vector<std::string>& settings = {},
                     const std::vector<std::string>& options = {"--quiet"}) const {
        std::array<Outcome, 2> outcomes;
        for (int i = 0; i < 2; ++i) {
            std::vector<std::string> arguments = options;
            for (const std::string& setting : settings)
                arguments.insert(arguments.end(), {"--set", setting});
            arguments.insert(arguments.end(),
                             {"--set", i == 0 ? "run.engine=fast" : "run.engine=reference"});
            outcomes[i] = run(config, arguments, i == 0 ? "out" : "reference");
        }
        EXPECT_EQ(outcomes[0].exit, outcomes[1].exit) << outcomes[0].err << outcomes[1].err;
        EXPECT_EQ(outcomes[0].err, outcomes[1].err);
        EXPECT_TRUE(files("out") == files("reference"));
        return outcomes[0];
    }
    std::string program(const std::string& source, const std::string& more = "") const {
        const std::string head = ".intel_syntax noprefix\n.globl start\nstart:\n";
        return config(assemble_program(head + source, kCode), more);
    }
};

// --- execution outside the image's code

TEST_F(GuestMistakesTest, ACallThroughANullPointerFailsWithTheCaller) {
    const std::string file = program(
        "mov esp, 0x300000\n call outer\n hlt\n"
        "outer: nop\n call dword ptr [0x200000]\n ret\n");
    const Outcome outcome = run_both(file);
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_SAYS(outcome.err, "execution at 0x00000000, where no code of the guest image is");
    EXPECT_SAYS(outcome.err, "called from 0x00100012");
    const nlohmann::json failure = summary()["failure"];
    EXPECT_EQ(failure["processor"], 0);
    EXPECT_EQ(failure["eip"], "0x00000000");
    ASSERT_EQ(failure["backtrace"].size(), 3u);
    EXPECT_SAYS(failure["backtrace"][2].get<std::string>(), "0x0010000a");
    EXPECT_EQ(summary()["config"].count("guest.code_anywhere"), 0u);
}

TEST_F(GuestMistakesTest, CodeInDataRunsOnlyIfTheConfigAllowsIt) {
    // Writes an endless loop to data and jumps there.
    const std::string file =
        program("mov word ptr [0x200000], 0xfeeb\n mov eax, 0x200000\n jmp eax\n",
                "[run]\nlimit_ms = 1.0\n");
    EXPECT_EQ(run_both(file).exit, 3);
    EXPECT_EQ(run_both(file, {"guest.code_anywhere=true"}).exit, 5);
    EXPECT_EQ(summary()["config"]["guest.code_anywhere"], true);
}

TEST_F(GuestMistakesTest, RunningOffTheEndOfTheCodeIsAFailure) {
    const Outcome outcome = run_both(program("nop\n nop\n"));
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_SAYS(outcome.err, "execution at 0x00100002");
}

// Processor 0 jumps through a pointer that is null until processor 1 stores it. If it runs ahead of
// the bus, it reads the old pointer, and must be rolled back before it fails.
TEST_F(GuestMistakesTest, AJumpThatIsRolledBackIsNoFailure) {
    std::array<int, 4> exits{};
    for (unsigned delay = 20; delay < 44; ++delay) {
        const std::string file = program(
            fmt::format("mov eax, [0xc8000000]\n mov ecx, [0x200000]\n test eax, eax\n jnz other\n"
                        "mov ecx, 30\n wait: dec ecx\n jnz wait\n jmp dword ptr [0x200000]\n"
                        "good: xor eax, eax\n mov [0xd0001000], eax\n hlt\n"
                        "other: mov ecx, {}\n again: dec ecx\n jnz again\n lea edx, good\n"
                        "mov [0x200000], edx\n hlt\n",
                        delay));
        const int exit = run_both(file).exit;
        ASSERT_TRUE(exit == 0 || exit == 3) << exit;
        ++exits[exit];
    }
    EXPECT_GT(exits[0], 4);
    EXPECT_GT(exits[3], 4);
}

// --- arguments

TEST_F(GuestMistakesTest, AnArgumentThatTheGuestNeverAsksForIsReported) {
    const std::string file = config_of(kCounter, "args.increments = 50\nargs.incremnts = 100\n");
    Outcome outcome = run_both(file);
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_SAYS(outcome.err,
                "guest.args.incremnts: the guest never asked for it; did you mean increments?");
    EXPECT_EQ(summary()["guest"]["unused_arguments"][0]["name"], "incremnts");
    EXPECT_EQ(summary()["guest"]["unused_arguments"].size(), 1u);
    outcome = run_both(file, {}, {});
    EXPECT_SAYS(outcome.out, "guest.args.incremnts: the guest never asked for it");
    outcome = run_both(file, {}, {"--strict", "--quiet"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "--strict");
    EXPECT_FALSE(summary().is_discarded()) << "the results are kept";
}

TEST_F(GuestMistakesTest, ArgumentsThatAreUsedAreNotReported) {
    fs::copy(kCounter, scratch.path() / "mine-read.elf");
    const std::string file = config_of(scratch.path() / "mine-{kind}.elf",
                                       "args.increments = 50\nargs.kind = \"read\"\n");
    const Outcome outcome = run_both(file, {}, {"--strict", "--quiet"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(summary()["guest"].count("unused_arguments"), 0u);
}

TEST_F(GuestMistakesTest, OfARunThatIsCutShortItSaysNotYet) {
    const std::string file = config_of(kCounter, "args.incremnts = 100\n");
    EXPECT_SAYS(run_both(file, {"run.limit_ms=0.01"}).err,
                "guest.args.incremnts: the guest had not asked for it yet; ");
}

TEST_F(GuestMistakesTest, OfAGuestWithoutTheLibraryNothingIsKnown) {
    const std::string file = config(kWork, "args.any = 1\n");
    EXPECT_EQ(run_both(file, {}, {"--strict", "--quiet"}).exit, 0);
}

// --- where the processors stand

TEST_F(GuestMistakesTest, ARunAtItsLimitSaysWhereTheProcessorsStand) {
    for (const char* limit : {"0.9", "1.0321", "1.3", "1.4447", "2.22222"}) {
        const std::string file = config_of(kCounter, "args.increments = 5000\n");
        const std::string setting = std::string("run.limit_ms=") + limit;
        const Outcome outcome = run_both(file, {setting, "machine.processors=8"});
        EXPECT_EQ(outcome.exit, 5);
        EXPECT_SAYS(outcome.err, "guest/");
        ASSERT_EQ(summary()["positions"].size(), 8u);
    }
    const nlohmann::json position = summary()["positions"][5];
    EXPECT_EQ(position["lock"], "counter_lock");
    EXPECT_SAYS(position["symbol"].get<std::string>(), "lock_wait");
    EXPECT_SAYS(position["source"].get<std::string>(), "guest/locks/read.h");
}

TEST_F(GuestMistakesTest, ADeadlockSaysWhoIsHaltedAndWhoSpins) {
    // Processor 0 halts with interrupts on, the other spins on a word.
    const Outcome outcome =
        run_both(program("mov eax, [0xc8000000]\n test eax, eax\n jnz spin\n sti\n hlt\n"
                         "spin: cmp dword ptr [0x200000], 0\n jz spin\n"));
    EXPECT_EQ(outcome.exit, 4);
    EXPECT_SAYS(outcome.err, "processor 0: halted until an interrupt, at 0x0010000b");
    EXPECT_SAYS(outcome.err, "processor 1: executes, at 0x0010");
    EXPECT_EQ(summary()["positions"][0]["state"], "halted");
    EXPECT_EQ(summary()["positions"][0]["interrupts"], true);
    EXPECT_EQ(summary()["positions"][1]["interrupts"], false);
    EXPECT_SAYS(run(program("hlt\n"), {}).out, "processors 0-1: halted, interrupts off");
}

TEST_F(GuestMistakesTest, AFinishedRunHasNoPositions) {
    EXPECT_EQ(run_both(config(kWork)).exit, 0);
    EXPECT_EQ(summary().count("positions"), 0u);
}

// --- messages

TEST_F(GuestMistakesTest, ALockedAccessToADeviceIsCalledThat) {
    const Outcome outcome = run_both(program("xchg al, [0xd0000000]\n"));
    EXPECT_EQ(outcome.exit, 3);
    EXPECT_SAYS(outcome.err, "locked access to 0xd0000000, which is not memory but device space");
    EXPECT_SAYS(outcome.err, "xchg and the lock prefix need memory");
}

// Of the registers of the board, the SLIC, the console, the results and the power switch.
TEST_F(GuestMistakesTest, AStoreToAPartOfARegisterFails) {
    const std::string end = "\n xor eax, eax\n mov [0xd0001000], eax\n hlt\n";
    const std::array<const char*, 5> whole = {
        "mov dword ptr [0xc8000110], 0x80", "mov dword ptr [0xc8000124], 9",
        "mov byte ptr [0xd0000000], 65", "mov byte ptr [0xd0002000], 10", "nop"};
    for (const char* const store : whole)
        EXPECT_EQ(run_both(program(store + end)).exit, 0) << store;
    const std::array<std::pair<const char*, const char*>, 10> parts = {{
        {"mov byte ptr [0xc8000110], 1", "0xc8000110"},
        {"mov byte ptr [0xc8000111], 1", "0xc8000111"},
        {"mov word ptr [0xc8000110], 1", "0xc8000110"},
        {"mov word ptr [0xc8000112], 1", "0xc8000112"},
        {"mov dword ptr [0xc8000112], 1", "0xc8000112"},
        {"mov dword ptr [0xc8000000], 1", "0xc8000000"},
        {"mov dword ptr [0xd0000000], 65", "0xd0000000"},
        {"mov word ptr [0xd0002000], 10", "0xd0002000"},
        {"mov byte ptr [0xd0001000], 0", "0xd0001000"},
        {"mov word ptr [0xd0001000], 0", "0xd0001000"},
    }};
    for (const auto& [store, address] : parts) {
        const Outcome outcome = run_both(program(store + end));
        EXPECT_EQ(outcome.exit, 3) << store;
        EXPECT_SAYS(outcome.err,
                    fmt::format("access to {} in device space, where no device takes it", address));
        EXPECT_EQ(files().at("console.txt"), "");
    }
}

// A word for a port of one byte: the other byte goes to the next port, where there is nothing.
TEST_F(GuestMistakesTest, AWordToAPortOfAByteWritesItsFirstByte) {
    const std::string file = program(
        "mov edx, 0xe9\n mov ax, 0x4241\n out dx, ax\n xor eax, eax\n mov [0xd0001000], eax\n"
        "hlt\n");
    EXPECT_EQ(run_both(file, {"machine.processors=1"}).exit, 0);
    EXPECT_EQ(files().at("console.txt"), "A");
}

TEST_F(GuestMistakesTest, AnExitStatusComesWithTheLastLineOfTheConsole) {
    const std::string file = config_of(std::string(BUILD_FOLDER) + "/guest-tests/panic.elf");
    const Outcome outcome = run_both(file);
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_SAYS(outcome.err,
                "symsim: the guest ended with status 1; its last line: panic on "
                "processor 1: failing, on purpose\n");
    EXPECT_SAYS(summary()["guest"]["last_line"].get<std::string>(), "failing, on purpose");
    EXPECT_SAYS(run(file, {}).out, "its last line: panic on processor 1");
    // mov byte [power], 7
    const Outcome silent = run_both(program("mov eax, 7\n mov [0xd0001000], eax\n hlt\n"));
    EXPECT_SAYS(silent.err, "status 7; it printed nothing");
}

}  // namespace
}  // namespace symsim::test
