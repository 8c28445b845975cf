// SPDX-License-Identifier: MIT
// configs/machines/crossbar.toml: a machine on which no processor waits for another's use.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/private_lines.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

class CrossbarMachine : public ::testing::Test {
  protected:
    CrossbarMachine() {
        write_program(scratch_.path() / "program.elf",
                      private_lines("mov eax, [esi]; mov [esi], eax", 500, 16));
    }
    std::map<std::string, std::string> run(const std::string& interconnect, unsigned processors,
                                           std::vector<std::string> settings = {},
                                           const std::string& engine = "fast") {
        const auto config = scratch_.write(
            "config.toml",
            fmt::format("base = \"{}/configs/machines/crossbar.toml\"\n"
                        "machine.processors = {}\nmachine.interconnect = \"{}\"\n"
                        "guest.image = \"{}/program.elf\"\nrun.engine = \"{}\"\n",
                        SOURCE_FOLDER, processors, interconnect, scratch_.path().string(), engine));
        const auto out = scratch_.path() / (interconnect + engine);
        std::vector<std::string> command = {config.string(), "--quiet",
                                            "--out",         out.string(),
                                            "--set",         "observe.transactions=true"};
        for (const std::string& setting : settings) {
            command.push_back("--set");
            command.push_back(setting);
        }
        const Outcome outcome = run_symsim(command);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(out);
    }
    static nlohmann::json bus_of(const std::map<std::string, std::string>& files) {
        return nlohmann::json::parse(files.at("summary.json"))["bus"];
    }

    ScratchFolder scratch_;
};

// Up to one cycle to the next edge, and one for arbitration.
TEST_F(CrossbarMachine, NoProcessorWaitsForAnother) {
    const nlohmann::json crossbar = bus_of(run("crossbar", 20)), bus = bus_of(run("bus", 20));
    for (const char* const kind : {"read", "store"}) {
        EXPECT_LE(double(crossbar["mean_wait_us_by_kind"][kind]), 0.2) << kind;
        EXPECT_GT(double(bus["mean_wait_us_by_kind"][kind]), 1.0) << kind;
    }
    EXPECT_EQ(double(crossbar["mean_reply_wait_us"]), 0.0);
}

TEST_F(CrossbarMachine, OfOneProcessorIsTheMachineWithABusAndIdleMemory) {
    for (const char* const protocol :
         {"none", "write-through", "write-through-allocate", "write-through-on-change",
          "write-back", "illinois", "moesi", "write-update"}) {
        const std::vector<std::string> settings = {
            fmt::format("cache.protocol={}", protocol), "cache.size_bytes=1024",
            "memory.read_busy_cycles=0", "memory.store_busy_cycles=0"};
        auto crossbar = run("crossbar", 1, settings), bus = run("bus", 1, settings);
        for (const char* const named : {"config.toml", "manifest.json", "summary.json"}) {
            crossbar.erase(named);
            bus.erase(named);
        }
        EXPECT_TRUE(crossbar.count("bus.csv") && crossbar.size() > 2);
        EXPECT_EQ(crossbar, bus) << protocol;
    }
}

TEST_F(CrossbarMachine, BothEnginesWriteTheSameFiles) {
    EXPECT_EQ(run("crossbar", 20), run("crossbar", 20, {}, "reference"));
}

}  // namespace
}  // namespace symsim::test
