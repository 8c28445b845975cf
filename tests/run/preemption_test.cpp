// SPDX-License-Identifier: MIT
// Runs of the guest preempt with preempt.*: the interrupt is seen once at each instruction of its
// path, both engines write the same files, and the summary says where it arrived.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

using Files = std::map<std::string, std::string>;

class PreemptionRun : public ::testing::Test {
  protected:
    Files run(const std::string& out, const std::vector<std::string>& settings,
              const std::vector<std::string>& more = {}) {
        const auto config = scratch_.write(
            "config.toml", "guest.image = \"" BUILD_FOLDER
                           "/guest-tests/preempt.elf\"\nmachine.processors = 3\n"
                           "preempt.from = \"region\"\npreempt.region = 5\nrun.limit_ms = 100.0\n");
        std::vector<std::string> arguments = {config.string(), "--quiet", "--out",
                                              (scratch_.path() / out).string()};
        for (const std::string& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        arguments.insert(arguments.end(), more.begin(), more.end());
        outcome_ = run_symsim(arguments);
        EXPECT_EQ(outcome_.exit, 0) << outcome_.err;
        return result_files(scratch_.path() / out);
    }
    static nlohmann::json summary(const Files& files) {
        return nlohmann::json::parse(files.at("summary.json"));
    }
    static std::string after(unsigned instructions) {
        return fmt::format("preempt.instructions={}", instructions);
    }

    ScratchFolder scratch_;
    Outcome outcome_;
};

constexpr unsigned kPath = 8;  // instructions of path()

TEST_F(PreemptionRun, SeesEachInstructionOfThePathOnce) {
    for (unsigned n = 1; n <= kPath; ++n) {
        const Files fast = run("fast", {after(n)});
        const Files reference = run("reference", {after(n), "run.engine=reference"});
        EXPECT_EQ(fast, reference) << "after " << n;
        const auto of = summary(fast);
        EXPECT_EQ(of["guest"]["results"]["interrupts"], 1) << "after " << n;
        EXPECT_EQ(of["guest"]["results"]["boundary"], n);
        EXPECT_EQ(of["preemption"]["processor"], 0);
        EXPECT_EQ(of["preemption"]["arrived"], true);
        EXPECT_GT(of["preemption"]["time_us"], 0);
        EXPECT_EQ(of["config"]["preempt.instructions"], n);
    }
    EXPECT_EQ(summary(run("after", {after(kPath + 1)}))["guest"]["results"]["unknown"], 1)
        << "path() has returned";
}

TEST_F(PreemptionRun, SaysWhereTheInterruptArrived) {
    EXPECT_EQ(summary(run("out", {after(5)}))["preemption"]["symbol"], "leaf");
}

TEST_F(PreemptionRun, SaysThatNoneArrived) {
    const auto of = summary(run("out", {after(1'000'000)}));
    EXPECT_EQ(of["preemption"]["arrived"], false);
    EXPECT_TRUE(of["preemption"]["eip"].is_null());
    EXPECT_EQ(of["guest"]["results"]["interrupts"], 0);
}

TEST_F(PreemptionRun, WithoutOneTheResultsDoNotMentionIt) {
    const auto of = summary(run("out", {}));
    EXPECT_EQ(of.count("preemption"), 0u);
    EXPECT_EQ(of["config"].count("preempt.instructions"), 0u);
}

}  // namespace
}  // namespace symsim::test
