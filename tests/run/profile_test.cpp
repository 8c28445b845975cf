// SPDX-License-Identifier: MIT
// Tests profile.folded: samples of the activity and the call stack of every processor.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

using Samples = std::map<std::string, std::uint64_t>;  // by stack

class ProfileTest : public ::testing::Test {
  protected:
    // Runs configs/quickstart.toml with these settings and returns its files.
    std::map<std::string, std::string> run(const std::vector<std::string>& settings) {
        std::vector<std::string> arguments = {SOURCE_FOLDER "/configs/quickstart.toml",
                                              "--quiet",
                                              "--set",
                                              "guest.args.increments=1000",
                                              "--out",
                                              out().string()};
        for (const std::string& setting : settings) {
            arguments.push_back("--set");
            arguments.push_back(setting);
        }
        const Outcome outcome = run_symsim(arguments);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(out());
    }
    static Samples parse(const std::string& folded) {
        Samples samples;
        std::istringstream lines(folded);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t space = line.rfind(' ');
            samples[line.substr(0, space)] = std::stoull(line.substr(space + 1));
        }
        return samples;
    }
    std::filesystem::path out() const { return scratch.path() / "out"; }
    ScratchFolder scratch;
};

TEST_F(ProfileTest, EveryProcessorIsSampledEachPeriod) {
    const auto files = run({"observe.profile_us=13.7"});
    const auto summary = nlohmann::json::parse(files.at("summary.json"));
    const double end = summary.at("simulated_us");
    std::uint64_t all = 0;
    std::map<std::string, double> by_activity;
    for (const auto& [stack, count] : parse(files.at("profile.folded"))) {
        all += count;
        by_activity[stack.substr(0, stack.find(';'))] += static_cast<double>(count) * 13.7;
    }
    EXPECT_EQ(all, summary.at("processors").size() * static_cast<std::uint64_t>(end / 13.7));
    // The sampled time of each activity is near its measured time: within 2 % of the total.
    std::map<std::string, double> measured;
    double total = 0;
    for (const auto& processor : summary.at("processors"))
        for (const auto& [activity, us] : processor.at("activities_us").items()) {
            measured[activity] += us.get<double>();
            total += us.get<double>();
        }
    for (const auto& [activity, us] : measured)
        EXPECT_NEAR(by_activity[activity], us, 0.02 * total) << activity;
}

TEST_F(ProfileTest, AStackLeadsFromTheOutermostToTheInnermostFunction) {
    const Samples samples = parse(run({"observe.profile_us=10.0"}).at("profile.folded"));
    std::uint64_t inside = 0;
    for (const auto& [stack, count] : samples)
        if (stack.rfind("critical;symsim_boot;main;", 0) == 0) inside += count;
    EXPECT_GT(inside, 0u) << samples.begin()->first;
}

TEST_F(ProfileTest, BothEnginesTakeTheSameSamplesAndNothingElseChanges) {
    const auto without = run({});
    EXPECT_EQ(without.count("profile.folded"), 0u);
    const auto fast = run({"observe.profile_us=3.3"});
    const auto reference = run({"observe.profile_us=3.3", "run.engine=reference"});
    EXPECT_EQ(fast, reference);
    for (const char* name : {"bus.csv", "locks.csv", "console.txt"})
        EXPECT_EQ(fast.at(name), without.at(name)) << name;
}

}  // namespace
}  // namespace symsim::test
