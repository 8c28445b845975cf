// SPDX-License-Identifier: MIT
// Runs guests that start in real mode: a ROM at its reset vector, and a boot sector as a BIOS
// starts it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;

class RomTest : public ::testing::Test {
  protected:
    Outcome run(const std::string& rom, const std::string& more = "",
                const std::string& folder = "out", const std::string& engine = "fast") const {
        const fs::path config = scratch.write(
            "config.toml",
            fmt::format("[run]\nlimit_ms = 100.0\nengine = \"{}\"\n[guest]\nrom = \"{}\"\n{}",
                        engine, (fs::path(BUILD_FOLDER) / "guest-tests" / rom).string(), more));
        return run_symsim(
            {config.string(), "--quiet", "--out", (scratch.path() / folder).string()});
    }
    nlohmann::json summary(const std::string& folder = "out") const {
        return nlohmann::json::parse(read_text(scratch.path() / folder / "summary.json"));
    }
    std::string console() const { return read_text(scratch.path() / "out" / "console.txt"); }
    std::vector<int> codes(const std::string& folder = "out") const {
        std::vector<int> all;
        const nlohmann::json s = summary(folder);
        for (const auto& post : s["guest"]["post_codes"]) all.push_back(post["code"]);
        return all;
    }

    ScratchFolder scratch;
};

TEST_F(RomTest, ARomGoesThroughAllModesAndEndsByHalting) {
    const Outcome outcome = run("rom.bin", "[machine]\nprocessors = 2\n");
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(console(), "real mode\nprotected mode\nvirtual 8086 mode\nreal mode again\n");
    EXPECT_EQ(codes(), (std::vector<int>{1, 2, 3, 4, 5, 0xff}));
    const nlohmann::json s = summary();
    EXPECT_EQ(s["status"], "finished");
    EXPECT_EQ(s["partial"], false);
    EXPECT_EQ(s["guest"]["exit_status"], nullptr);
    EXPECT_EQ(s["guest"]["image"], "rom.bin");
    EXPECT_EQ(s["processors"][1]["instructions"], 0) << "only the first processor starts";
    double before = 0;
    for (const auto& post : s["guest"]["post_codes"]) {
        EXPECT_GT(post["time_us"].get<double>(), before);
        before = post["time_us"];
    }
}

TEST_F(RomTest, BothEnginesWriteTheSameFiles) {
    ASSERT_EQ(run("rom.bin", "[machine]\nprocessors = 2\n", "fast").exit, 0);
    ASSERT_EQ(run("rom.bin", "[machine]\nprocessors = 2\n", "reference", "reference").exit, 0);
    EXPECT_TRUE(result_files(scratch.path() / "fast") ==
                result_files(scratch.path() / "reference"));
}

TEST_F(RomTest, ABootSectorCanPowerOff) {
    const Outcome outcome = run("boot_sector.bin");
    EXPECT_EQ(outcome.exit, 1) << outcome.err;
    EXPECT_EQ(console(), "boot sector\n");
    EXPECT_EQ(summary()["guest"]["exit_status"], 3);
    EXPECT_EQ(codes(), std::vector<int>{});
}

TEST_F(RomTest, PortsAreWhereTheConfigSays) {
    // The ROM writes its text to a port that is no longer used, and its POST codes to the port that
    // is now the output port.
    ASSERT_EQ(run("rom.bin", "post_port = 0x3f8\noutput_port = 0x80\n").exit, 0);
    EXPECT_EQ(console(), "\x01\x02\x03\x04\x05\xff");
    EXPECT_EQ(codes(), std::vector<int>{});
}

TEST_F(RomTest, AMissingOrTooLargeRomIsAUserError) {
    Outcome outcome = run("none.bin");
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "none.bin: there is no such file");
    outcome = run("rom.bin", "rom_address = 0x3f8000\n[memory]\nsize_mb = 4\n");
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "reaches to 0x408000");
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

}  // namespace
}  // namespace symsim::test
