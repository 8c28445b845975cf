// SPDX-License-Identifier: MIT
// What is measured of a guest's processes: tests/guest/processes_by_hand.c, which counts what it
// does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ProcessesTest : public ::testing::Test {
  protected:
    ProcessesTest() {
        config_ = scratch.write(
            "config.toml",
            fmt::format("[machine]\nprocessors = 3\n[guest]\nimage = \"{}/guest-tests/{}\"\n",
                        BUILD_FOLDER, "processes_by_hand.elf"));
    }
    // The files of a run with these options.
    std::map<std::string, std::string> run(const std::string& name,
                                           const std::vector<std::string>& options = {}) {
        std::vector<std::string> all = {config_.string(), "--quiet", "--out",
                                        (scratch.path() / name).string()};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = run_symsim(all);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(scratch.path() / name);
    }
    static void expect_equal(std::map<std::string, std::string> files,
                             std::map<std::string, std::string> others) {
        for (const char* name : {"summary.json", "processes.csv", "locks.csv", "bus.csv"}) {
            EXPECT_FALSE(files[name].empty()) << name;
            EXPECT_TRUE(files[name] == others[name]) << name;
        }
    }

    ScratchFolder scratch;
    fs::path config_;
};

TEST_F(ProcessesTest, AreCountedAsTheGuestCountsThem) {
    const json summary = json::parse(run("out")["summary.json"]);
    const json& processes = summary["processes"];
    EXPECT_EQ(processes["count"], 12u);
    EXPECT_EQ(processes["ended"], 12u);
    for (const auto& [name, value] : summary["guest"]["results"].items())
        EXPECT_EQ(processes[name], value) << name;
    for (const auto& [state, us] : processes["states_us"].items())
        EXPECT_GT(us.get<double>(), 0) << state;
    const json& kernel_lock = summary["locks"][0];
    const json& lock = summary["locks"][1];
    EXPECT_EQ(kernel_lock["name"], "kernel_lock");
    EXPECT_EQ(kernel_lock["waited_for_preempted_holder_us"], 0.0);
    EXPECT_EQ(lock["attempts"], processes["acquisitions"]);
    EXPECT_EQ(lock["open_wait_us"], 0.0) << "each wait ends, on whatever processor";
    EXPECT_EQ(lock["open_hold_us"], 0.0);
    const double lost = lock["waited_for_preempted_holder_us"];
    EXPECT_GT(lost, 0);
    EXPECT_LE(lost, processes["states_us"]["acquire"].get<double>());
}

TEST_F(ProcessesTest, AreTheSameUnderBothEngines) {
    expect_equal(run("reference", {"--set", "run.engine=reference"}), run("fast"));
}

TEST_F(ProcessesTest, TracesChangeNoNumber) {
    const auto plain = run("plain");
    auto traced = run("traced", {"--set", "observe.perfetto=true", "--set",
                                 "observe.window.around=process_warn"});
    for (const char* name : {"processes.csv", "locks.csv"})
        EXPECT_TRUE(traced[name] == plain.at(name)) << name;
}

}  // namespace
}  // namespace symsim::test
