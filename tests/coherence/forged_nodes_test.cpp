// SPDX-License-Identifier: MIT
// States of nodes in the middle of transactions, saved, changed and loaded. Each must be refused,
// or the round goes on, with wrong values. It may not end with what is impossible, nor with an
// event that never ends.
//
// SYMSIM_FORGED is the number of forged states, SYMSIM_FIRST_SEED the first seed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "sim/base/saved_state.h"
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/round.h"
#include "tests/support/forge.h"

namespace symsim::test {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A round that has made some of its events.
class BegunRound {
  public:
    explicit BegunRound(std::uint64_t seed)
        : protocol_(seed % 2 == 0 ? illinois_case() : write_back_case()),
          round_(config(seed, *protocol_.protocol), protocol_, reached_) {
        runs_ = round_.begin(500 + seed % 64 * 20);
    }
    Round& round() { return round_; }
    bool runs() const { return runs_; }

  private:
    static RoundConfig config(std::uint64_t seed, const Protocol& protocol) {
        RoundConfig config =
            random_round_on_nodes(seed, protocol, static_cast<StorePolicy>(seed % 3));
        config.accesses_per_port = std::max(1'000 / config.ports, 1u);
        config.with_oracle = false;
        return config;
    }

    Reached reached_;
    ProtocolCase protocol_;
    Round round_;
    bool runs_ = false;
};

enum Ending { kRefused = 10, kWentOn };

Ending ends(Round& round, const std::string& state) {
    try {
        round.go_on_from(state);
    } catch (const StateError&) {
        return kRefused;
    } catch (const Incoherent&) {  // as processors wait for ever
    }
    return kWentOn;
}

TEST(ForgedNodes, AreRefusedOrGoOn) {
    constexpr std::uint64_t kOfOneRound = 25;
    // Seconds of a processor, so that a busy host does not matter. A guess: all rounds take
    // a fraction of a second.
    constexpr rlimit kLimit = {60, 60};
    const std::uint64_t first = from_environment("SYMSIM_FIRST_SEED", 1);
    const std::uint64_t count = from_environment("SYMSIM_FORGED", 1'000);
    std::uint64_t refused = 0, went_on = 0;
    std::unique_ptr<BegunRound> begun;
    std::string state;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        if (!begun || seed % kOfOneRound == 0) {
            begun = std::make_unique<BegunRound>(seed / kOfOneRound);
            state = begun->round().saved();
        }
        if (!begun->runs()) continue;
        std::mt19937_64 random(seed);
        std::string forged = state;
        for (unsigned changes = 1 + static_cast<unsigned>(random() % 2); changes > 0; --changes)
            forge(forged, 1, random);
        const pid_t child = fork();
        if (child == 0) {
            setrlimit(RLIMIT_CPU, &kLimit);
            _exit(ends(begun->round(), forged));
        }
        int status = 0;
        waitpid(child, &status, 0);
        const int ending = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        EXPECT_TRUE(ending == kRefused || ending == kWentOn)
            << "status " << status << ", again: SYMSIM_FIRST_SEED=" << seed;
        refused += ending == kRefused;
        went_on += ending == kWentOn;
    }
    std::cout << fmt::format("{} states refused, {} went on\n", refused, went_on);
    EXPECT_GT(refused, went_on);
}

// A round that loads the state that it has saved makes the same accesses as one that does not.
TEST(ForgedNodes, UnchangedStatesAreTaken) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        BegunRound loads(seed), goes_on(seed);
        if (!loads.runs()) continue;
        const std::string state = loads.round().saved();
        loads.round().go_on_from(state);
        goes_on.round().go_on();
        EXPECT_EQ(loads.round().saved(), goes_on.round().saved()) << "seed " << seed;
        EXPECT_EQ(loads.round().accesses(), goes_on.round().accesses()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace symsim::test
