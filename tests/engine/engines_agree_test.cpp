// SPDX-License-Identifier: MIT
// Both engines on random guests in random machines: every byte of every file must be the same.
// SYMSIM_RANDOM_GUESTS sets how many, SYMSIM_FIRST_SEED where to begin.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/engine/random_run.h"

namespace symsim::test {
namespace {

// One guest in one machine. Whether it came to its own end.
bool agree_on(unsigned seed, const MakeGuest& make, const std::vector<std::string>& more = {}) {
    const ScratchFolder scratch;
    const std::string file = write_random_run(scratch, seed, make);
    std::array<int, 2> exits{};
    std::array<std::map<std::string, std::string>, 2> files;
    for (int i = 0; i < 2; ++i) {
        const std::string engine = i == 0 ? "fast" : "reference";
        const std::string out = (scratch.path() / engine).string();
        std::vector<std::string> arguments = {file, "--quiet", "--out",
                                              out,  "--set",   "run.engine=" + engine};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_symsim(arguments);
        exits[i] = outcome.exit;
        EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1 || outcome.exit == 5)
            << engine << " ended with " << outcome.exit << "\n"
            << outcome.err;
        files[i] = result_files(out);
    }
    EXPECT_EQ(exits[0], exits[1]);
    EXPECT_EQ(files[0].size(), 8u) << "summary, bus, locks, three traces, config, console";
    for (const auto& [name, bytes] : files[0])
        EXPECT_TRUE(bytes == files[1][name]) << name << " differs between the engines";
    if (exits[0] == 5) fmt::print("seed {} reached the time limit\n", seed);
    return exits[0] != 5;
}

TEST(Engines, AgreeOnEveryByteForRandomGuests) {
    for_many_seeds(150, [](unsigned seed) { return agree_on(seed, random_guest); });
}

TEST(Engines, AgreeOnEveryByteForRandomSystems) {
    for_many_seeds(100, [](unsigned seed) { return agree_on(seed, random_system); });
}

// Lines have owners, and none stays long; who has the bus for itself is waited for.
TEST(Engines, AgreeOnEveryByteWhereLinesAreCopiedBackAllTheTime) {
    std::vector<std::string> machine = kCopiesBack;
    machine.insert(machine.end(), {"--set", "bus.locked_request=hold-bus"});
    for_many_seeds(75, [&](unsigned seed) { return agree_on(seed, random_guest, machine); });
}

}  // namespace
}  // namespace symsim::test
