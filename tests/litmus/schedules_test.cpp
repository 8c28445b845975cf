// SPDX-License-Identifier: MIT
// The outcomes of each litmus test under every order of its accesses: exactly those that the model
// allows on the machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/litmus/machines.h"
#include "tests/litmus/orders.h"
#include "tests/litmus/store_buffers.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

TEST(LitmusOrders, AreAllThatAStoreBufferAllows) {
    std::map<std::string, std::array<std::size_t, 3>> counts;  // by depth 0, 1 and 4
    for (const LitmusTest& test : litmus_tests())
        counts[test.name] = {schedules(test, 0).size(), schedules(test, 1).size(),
                             schedules(test, 4).size()};
    // Two threads of two accesses interleave in 6 ways. If loads may come before stores, each of
    // the four accesses of SB may take any place: 4!.
    EXPECT_EQ(counts["MP"], (std::array<std::size_t, 3>{6, 6, 6}));
    EXPECT_EQ(counts["SB"], (std::array<std::size_t, 3>{6, 24, 24}));
    EXPECT_EQ(counts["SB_fences"], (std::array<std::size_t, 3>{20, 20, 20}));
    EXPECT_EQ(counts["IRIW"], (std::array<std::size_t, 3>{180, 180, 180}));
    EXPECT_EQ(counts["SB_rfi"], (std::array<std::size_t, 3>{20, 180, 180}));
}

class LitmusSchedules : public ::testing::TestWithParam<LitmusMachine> {
  protected:
    std::set<std::string> outcomes_of(const LitmusTest& test) {
        const ScratchFolder scratch;
        const std::string config = scratch.write(
            "config.toml",
            config_of(GetParam()) +
                fmt::format("[run]\nlimit_ms = 100.0\n[schedule]\nfrom = \"region\"\nregion = 1\n"
                            "[guest]\nimage = \"{}/guest-tests/litmus/schedules.elf\"\n"
                            "[guest.args]\ntest = \"{}\"\n",
                            BUILD_FOLDER, test.name));
        std::string input;
        const std::vector<std::string> all = schedules(test, GetParam().model_depth);
        for (const std::string& schedule : all) input += schedule + "\n";
        const Outcome ended = run_symsim({config, "--schedules"}, input);
        EXPECT_EQ(ended.exit, 0) << ended.err;
        std::istringstream rows(ended.out);
        std::set<std::string> seen;
        std::size_t count = 0;
        for (std::string line; std::getline(rows, line); ++count) {
            const auto row = nlohmann::json::parse(line);
            EXPECT_EQ(row["status"], "finished") << row["schedule"];
            for (const auto& hold : row["holds"]) EXPECT_FALSE(hold.is_null()) << row["schedule"];
            seen.insert(row["message"]);
        }
        EXPECT_EQ(count, all.size());
        return seen;
    }
};

TEST_P(LitmusSchedules, HaveExactlyTheOutcomesOfTheModel) {
    for (const LitmusTest& test : litmus_tests()) {
        if (test.threads.size() > GetParam().processors) continue;
        EXPECT_EQ(outcomes_of(test), outcomes(test, GetParam().model_depth)) << test.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, LitmusSchedules, ::testing::ValuesIn(kMachines), machine_name);

}  // namespace
}  // namespace symsim::test
