// SPDX-License-Identifier: MIT
// Litmus tests on the whole simulator: compares the outcomes that occur with those that the memory
// model (store_buffers.h) allows. A forbidden outcome must never occur. An outcome that the machine
// can show must occur at least once. Otherwise a machine that never lets a load overtake a store
// would pass as one that does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/litmus/store_buffers.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;

// --- the model against the literature's verdict on each test ------------------------------------

const LitmusTest& test_named(const std::string& name) {
    static const std::vector<LitmusTest> all = litmus_tests();
    for (const LitmusTest& test : all)
        if (test.name == name) return test;
    throw std::invalid_argument(name);
}

struct Verdict {
    const char* test;
    const char* outcome;  // the one the test is about: registers, then final memory
    bool tso;             // x86-TSO allows it; sequential consistency never does
};

class LitmusModel : public ::testing::TestWithParam<Verdict> {};

TEST_P(LitmusModel, AgreesWithTheLiterature) {
    const auto& [name, outcome, tso] = GetParam();
    EXPECT_EQ(outcomes(test_named(name), 0).count(outcome), 0u);
    EXPECT_EQ(outcomes(test_named(name), 1).count(outcome), tso ? 1u : 0u);
    EXPECT_EQ(outcomes(test_named(name), 4).count(outcome), tso ? 1u : 0u);
}

constexpr Verdict kVerdicts[] = {
    {"SB", "0000000011", true},       {"SB_fences", "0000000011", false},
    {"SB_fence", "0000000011", true}, {"SB_xchg", "0000000011", false},
    {"SB_rfi", "1010000011", true},   {"XX", "0000000010", false},
    {"MP", "0010000011", false},      {"LB", "1010000011", false},
    {"S", "0010000021", false},       {"R", "0000000012", true},
    {"2_2W", "0000000011", false},    {"WRC", "0010100011", false},
    {"RWC", "0010000011", true},      {"IRIW", "0000101011", false},
};

std::string verdict_name(const ::testing::TestParamInfo<Verdict>& info) {
    return info.param.test;
}

INSTANTIATE_TEST_SUITE_P(Tests, LitmusModel, ::testing::ValuesIn(kVerdicts), verdict_name);

TEST(LitmusModel, EveryTestHasAVerdict) {
    std::set<std::string> judged, all;
    for (const Verdict& verdict : kVerdicts) judged.insert(verdict.test);
    for (const LitmusTest& test : litmus_tests()) all.insert(test.name);
    EXPECT_EQ(judged, all);
}

// --- the machine against the model --------------------------------------------------------------

struct LitmusMachine {
    const char* name;
    unsigned processors;
    const char* policy;
    unsigned depth;
    const char* bus;  // further keys, and tables after them
    // Depths of a store buffer in the model: outcomes of `may_depth` may occur, those of
    // `must_depth` must occur.
    unsigned may_depth;
    unsigned must_depth;
    const char* protocol = "write-through";
    const char* interconnect = "bus";
};

void PrintTo(const LitmusMachine& machine, std::ostream* out) {
    *out << machine.name;
}

// With fixed arbitration and a slow bus, a store of the last processors waits as long as the first
// processors keep the bus busy. So every outcome that a store buffer allows can occur. Round robin
// serves the store within one round, too soon for some of the outcomes.
//
// With block-port, no load is made until an earlier store is complete. Memory is then as strong as
// with stall, where the processor itself waits.
constexpr const char* kSlow = "arbitration = \"fixed\"\nstore_cycles = 6\n";
constexpr const char* kOneEach = "[nodes]\nnode_processors = 1\n";
constexpr const char* kTwoEach =
    "[nodes]\nnode_processors = 2\ncount = 2\nplacement = \"interleaved\"\npage_bytes = 256\n";
constexpr LitmusMachine kMachines[] = {
    {"Depth1", 4, "buffered", 1, kSlow, 1, 1},
    {"Depth4", 4, "buffered", 4, kSlow, 4, 4},
    {"Depth1RoundRobin", 4, "buffered", 1, "", 1, 0},
    {"Depth4On3", 3, "buffered", 4, "", 4, 0},
    {"Depth4On2", 2, "buffered", 4, "", 4, 0},
    {"Depth0", 4, "buffered", 0, "", 0, 0},
    {"Stall", 4, "stall", 1, "", 0, 0},
    {"BlockPort", 4, "block-port", 1, "", 0, 0},
    {"BlockPortSlow", 4, "block-port", 4, kSlow, 0, 0},
    // The write buffer orders stores, whatever lines they go to. With write-back, a store that
    // waits makes the loads of other processors wait too, so some outcomes that a buffer allows do
    // not occur.
    {"WriteBack", 4, "buffered", 1, kSlow, 1, 0, "write-back"},
    {"WriteBackDepth4", 4, "buffered", 4, kSlow, 4, 0, "write-back"},
    {"WriteBackStall", 4, "stall", 1, "", 0, 0, "write-back"},
    {"Moesi", 4, "buffered", 1, kSlow, 1, 0, "moesi"},
    {"MoesiDepth4", 4, "buffered", 4, kSlow, 4, 0, "moesi"},
    {"WriteUpdate", 4, "buffered", 1, kSlow, 1, 1, "write-update"},
    {"WriteUpdateDepth4", 4, "buffered", 4, kSlow, 4, 4, "write-update"},
    {"WriteUpdateStall", 4, "stall", 1, "", 0, 0, "write-update"},
    {"Crossbar", 4, "buffered", 1, "store_cycles = 6\n", 1, 0, "write-through", "crossbar"},
    {"CrossbarDepth4", 4, "buffered", 4, "store_cycles = 6\n", 4, 0, "write-through", "crossbar"},
    {"CrossbarStall", 4, "stall", 1, "", 0, 0, "write-through", "crossbar"},
    {"CrossbarWriteBack", 4, "buffered", 4, "", 4, 0, "write-back", "crossbar"},
    // The same outcomes as with one bus: a store takes effect when all other copies are gone.
    {"Nodes", 4, "buffered", 1, kOneEach, 1, 0, "write-back", "nodes"},
    {"NodesOfTwo", 4, "buffered", 4, kTwoEach, 4, 0, "illinois", "nodes"},
    {"NodesStall", 4, "stall", 1, kTwoEach, 0, 0, "illinois", "nodes"},
};

constexpr unsigned kRounds = 200;          // of each test, in the fast engine
constexpr unsigned kRoundsInBoth = 12;     // in each engine
constexpr unsigned kRoundsOfOne = 1500;    // of a test that has not yet shown all required outcomes
constexpr std::uint32_t kSeedsOfOne = 20;  // with this many seeds at most

using Outcomes = std::set<std::string>;
using Seen = std::map<std::string, Outcomes>;  // outcomes by test
using Files = std::map<std::string, std::string>;

class Litmus : public ::testing::TestWithParam<LitmusMachine> {
  protected:
    Files run(const std::string& engine, unsigned rounds, std::uint32_t seed,
              const std::string& only = "") {
        const LitmusMachine& machine = GetParam();
        const ScratchFolder scratch;
        const std::string config = scratch.write(
            "config.toml",
            fmt::format("[machine]\nprocessors = {}\ninterconnect = \"{}\"\n"
                        "[cache]\nprotocol = \"{}\"\nstore_policy = \"{}\"\n"
                        "write_buffer_depth = {}\n"
                        "[bus]\n{}[run]\nlimit_ms = 10000.0\nseed = {}\n"
                        "[guest]\nimage = \"{}/guest-tests/litmus/litmus.elf\"\n"
                        "[guest.args]\nrounds = {}\ntest = \"{}\"\n",
                        machine.processors, machine.interconnect, machine.protocol, machine.policy,
                        machine.depth, machine.bus, seed, BUILD_FOLDER, rounds, only));
        const fs::path out = scratch.path() / "out";
        const Outcome outcome =
            run_symsim({config, "--quiet", "--out", out.string(), "--set", "run.engine=" + engine});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(out);
    }

    // Adds the outcomes in `files` to `seen`, and checks that none of them is forbidden.
    void look(const Files& files, unsigned rounds, std::uint32_t seed, Seen& seen) {
        const auto summary = nlohmann::json::parse(
            files.count("summary.json") ? files.at("summary.json") : "", nullptr, false);
        ASSERT_FALSE(summary.is_discarded());
        std::map<std::string, unsigned> counts;  // rounds, by test and placement of x and y
        for (const auto& [key, value] : summary["guest"]["results"].items()) {
            const std::size_t place = key.find('.'), digits = key.rfind('.');
            const std::string test = key.substr(0, place), outcome = key.substr(digits + 1);
            counts[key.substr(0, digits)] += value.get<unsigned>();
            seen[test].insert(outcome);
            EXPECT_EQ(may_[test].count(outcome), 1u)
                << key << " came " << value << " times; run.seed = " << seed;
        }
        EXPECT_FALSE(counts.empty());
        for (const auto& [name, count] : counts) EXPECT_EQ(count, rounds) << name;
    }

    void SetUp() override {
        for (const LitmusTest& test : litmus_tests()) {
            if (test.threads.size() > GetParam().processors) continue;
            may_[test.name] = outcomes(test, GetParam().may_depth);
            must_[test.name] = outcomes(test, GetParam().must_depth);
        }
    }

    static Outcomes missing(const Outcomes& wanted, const Outcomes& seen) {
        Outcomes rest;
        std::set_difference(wanted.begin(), wanted.end(), seen.begin(), seen.end(),
                            std::inserter(rest, rest.end()));
        return rest;
    }

    std::map<std::string, Outcomes> may_, must_;
};

TEST_P(Litmus, RequiredOutcomesOccurAndForbiddenOnesDoNot) {
    Seen seen;
    std::uint32_t seed = 1;
    look(run("fast", kRounds, seed, ""), kRounds, seed, seen);
    for (const auto& [test, wanted] : must_) {
        for (seed = 2; !missing(wanted, seen[test]).empty() && seed < 2 + kSeedsOfOne; ++seed)
            look(run("fast", kRoundsOfOne, seed, test), kRoundsOfOne, seed, seen);
        EXPECT_EQ(missing(wanted, seen[test]), Outcomes{}) << test << ": never came";
        if (seed > 2) std::cout << test << ": all had come by run.seed = " << seed - 1 << "\n";
    }
}

TEST_P(Litmus, BothEnginesWriteTheSameFiles) {
    Seen seen;
    const Files fast = run("fast", kRoundsInBoth, 1);
    Files reference = run("reference", kRoundsInBoth, 1);
    look(reference, kRoundsInBoth, 1, seen);
    EXPECT_EQ(fast.size(), reference.size());
    for (const auto& [name, bytes] : fast)
        EXPECT_TRUE(bytes == reference[name]) << name << " differs between the engines";
}

std::string machine_name(const ::testing::TestParamInfo<LitmusMachine>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Machines, Litmus, ::testing::ValuesIn(kMachines), machine_name);

}  // namespace
}  // namespace symsim::test
