// SPDX-License-Identifier: MIT
// configs/machines/sgi-4d480.toml: the times that its head states, and its native lock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/private_lines.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

class SgiMachine : public ::testing::Test {
  protected:
    std::map<std::string, std::string> run(const std::string& image,
                                           const std::vector<std::string>& settings,
                                           const std::string& out) {
        const auto config = scratch_.write(
            "config.toml", fmt::format("base = \"{}/configs/machines/sgi-4d480.toml\"\n"
                                       "guest.image = \"{}\"\nrun.limit_ms = 1000.0\n",
                                       SOURCE_FOLDER, image));
        std::vector<std::string> arguments = {config.string(), "--quiet", "--out",
                                              (scratch_.path() / out).string()};
        for (const std::string& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        const Outcome outcome = run_symsim(arguments);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(scratch_.path() / out);
    }
    static nlohmann::json summary(const std::map<std::string, std::string>& files) {
        return nlohmann::json::parse(files.at("summary.json"));
    }
    // Each processor reads `lines` lines of its own that no cache has.
    nlohmann::json reads(unsigned processors, unsigned lines) {
        write_program(scratch_.path() / "reads.elf", private_lines("mov eax, [esi]", lines, 16));
        return summary(run((scratch_.path() / "reads.elf").string(),
                           {fmt::format("machine.processors={}", processors)}, "reads"));
    }

    ScratchFolder scratch_;
};

// Loop and lock cost the same whatever the number of lines.
TEST_F(SgiMachine, AReadMissTakesOnePointTwoFiveMicroseconds) {
    const double few = reads(1, 100)["processors"][0]["states_us"]["served"];
    const double many = reads(1, 1100)["processors"][0]["states_us"]["served"];
    EXPECT_NEAR((many - few) / 1000, 1.25, 0.07) << "up to a bus cycle of 62.5 ns more";
}

TEST_F(SgiMachine, TheBusCarriesSixtyFourMegabytesASecond) {
    const auto of = reads(8, 1000);
    const double transactions = of["bus"]["transactions"]["read"];
    const double us = of["bus"]["busy_us"];
    EXPECT_NEAR(transactions * 16 / us, 64, 2);
}

TEST_F(SgiMachine, ItsNativeLockExcludesUnderBothEngines) {
    for (const std::string test : {"lock_exclusion", "lock_progress"})
        for (const unsigned processors : {1, 3, 8}) {
            const std::string image =
                fmt::format("{}/guest-tests/{}-native.elf", BUILD_FOLDER, test);
            const std::string number = fmt::format("machine.processors={}", processors);
            const auto fast = run(image, {number}, "fast");
            EXPECT_EQ(fast, run(image, {number, "run.engine=reference"}, "reference"));
            EXPECT_EQ(summary(fast)["guest"]["exit_status"], 0) << test << processors;
            EXPECT_GT(summary(fast)["sync_bus"]["operations"], 0);
        }
}

}  // namespace
}  // namespace symsim::test
