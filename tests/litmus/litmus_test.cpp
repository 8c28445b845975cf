// SPDX-License-Identifier: MIT
// Litmus tests on the whole simulator, at random times: an outcome that the memory model
// (store_buffers.h) forbids never occurs. That all others can occur is shown in schedules_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/litmus/machines.h"
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

// --- the machine against the model ---------------------------------------------------------------

constexpr unsigned kRounds = 60;        // of each test, in the fast engine
constexpr unsigned kRoundsInBoth = 12;  // in each engine

using Outcomes = std::set<std::string>;
using Files = std::map<std::string, std::string>;

class Litmus : public ::testing::TestWithParam<LitmusMachine> {
  protected:
    Files run(const std::string& engine, unsigned rounds, std::uint32_t seed,
              const std::string& only = "") {
        const ScratchFolder scratch;
        const std::string config = scratch.write(
            "config.toml", config_of(GetParam()) +
                               fmt::format("[run]\nlimit_ms = 10000.0\nseed = {}\n"
                                           "[guest]\nimage = \"{}/guest-tests/litmus/litmus.elf\"\n"
                                           "[guest.args]\nrounds = {}\ntest = \"{}\"\n",
                                           seed, BUILD_FOLDER, rounds, only));
        const fs::path out = scratch.path() / "out";
        const Outcome outcome =
            run_symsim({config, "--quiet", "--out", out.string(), "--set", "run.engine=" + engine});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(out);
    }

    // Checks that none of the outcomes in `files` is forbidden.
    void look(const Files& files, unsigned rounds, std::uint32_t seed) {
        const auto summary = nlohmann::json::parse(
            files.count("summary.json") ? files.at("summary.json") : "", nullptr, false);
        ASSERT_FALSE(summary.is_discarded());
        std::map<std::string, unsigned> counts;  // rounds, by test and placement of x and y
        for (const auto& [key, value] : summary["guest"]["results"].items()) {
            const std::size_t place = key.find('.'), digits = key.rfind('.');
            const std::string test = key.substr(0, place), outcome = key.substr(digits + 1);
            counts[key.substr(0, digits)] += value.get<unsigned>();
            EXPECT_EQ(allowed_[test].count(outcome), 1u)
                << key << " came " << value << " times; run.seed = " << seed;
        }
        EXPECT_FALSE(counts.empty());
        for (const auto& [name, count] : counts) EXPECT_EQ(count, rounds) << name;
    }

    void SetUp() override {
        for (const LitmusTest& test : litmus_tests()) {
            if (test.threads.size() > GetParam().processors) continue;
            allowed_[test.name] = outcomes(test, GetParam().model_depth);
        }
    }

    std::map<std::string, Outcomes> allowed_;
};

TEST_P(Litmus, ForbiddenOutcomesDoNotOccur) {
    look(run("fast", kRounds, 1, ""), kRounds, 1);
}

TEST_P(Litmus, BothEnginesWriteTheSameFiles) {
    const Files fast = run("fast", kRoundsInBoth, 1);
    Files reference = run("reference", kRoundsInBoth, 1);
    look(reference, kRoundsInBoth, 1);
    EXPECT_EQ(fast.size(), reference.size());
    for (const auto& [name, bytes] : fast)
        EXPECT_TRUE(bytes == reference[name]) << name << " differs between the engines";
}

INSTANTIATE_TEST_SUITE_P(Machines, Litmus, ::testing::ValuesIn(kMachines), machine_name);

}  // namespace
}  // namespace symsim::test
