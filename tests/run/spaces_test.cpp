// SPDX-License-Identifier: MIT
// What is measured of address spaces and their calls: the guest urpc_null, which calls a server.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr unsigned kCalls = 60, kWarmUp = 10;

class SpacesTest : public ::testing::Test {
  protected:
    using Files = std::map<std::string, std::string>;

    // The files of a run with these options on one or two processors.
    Files run(const std::string& name, unsigned processors,
              const std::vector<std::string>& options = {}) {
        const fs::path config = scratch.write(
            name + ".toml",
            fmt::format("[machine]\nprocessors = {}\n[guest]\nimage = \"{}/guest/urpc_null.elf\"\n"
                        "[guest.args]\ncalls = {}\nwarm_up = {}\n",
                        processors, BUILD_FOLDER, kCalls, kWarmUp));
        std::vector<std::string> all = {config.string(), "--quiet", "--out",
                                        (scratch.path() / name).string()};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = run_symsim(all);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(scratch.path() / name);
    }
    static void expect_equal(Files files, Files others) {
        for (const char* name :
             {"summary.json", "calls.csv", "spaces.csv", "processes.csv", "locks.csv", "bus.csv"}) {
            EXPECT_FALSE(files[name].empty()) << name;
            EXPECT_TRUE(files[name] == others[name]) << name;
        }
    }

    ScratchFolder scratch;
};

TEST_F(SpacesTest, CallsAreCountedAsTheGuestMakesThem) {
    for (const unsigned processors : {1u, 2u}) {
        const json summary = json::parse(run("out", processors)["summary.json"]);
        const json &client = summary["spaces"][0], &server = summary["spaces"][1];
        EXPECT_EQ(summary["calls"]["count"], kCalls + kWarmUp);
        EXPECT_EQ(summary["calls"]["served"], kCalls + kWarmUp);
        EXPECT_EQ(client["name"], "client");
        EXPECT_EQ(client["calls"], kCalls + kWarmUp);
        EXPECT_EQ(client["found"], kCalls + kWarmUp);
        EXPECT_EQ(client["served"], 0);
        EXPECT_EQ(server["served"], kCalls + kWarmUp);
        EXPECT_EQ(server["found"], kCalls + kWarmUp);
        EXPECT_EQ(server["calls"], 0);
        EXPECT_GE(client["polls"], client["found"]);
        EXPECT_EQ(summary["spaces"].size(), 3u);
        EXPECT_TRUE(summary["spaces"][2]["space"].is_null());
        for (const json& space : {client, server}) {
            unsigned upcalls = 0;
            for (const auto& [reason, count] : space["upcalls"].items())
                upcalls += count.get<unsigned>();
            EXPECT_EQ(space["arrivals"], upcalls) << "no preemption";
        }
        // What the client donates comes back: all the calls, if there is one processor.
        EXPECT_EQ(server["upcalls"]["donated"], client["upcalls"]["returned"]);
        EXPECT_TRUE(processors > 1 || client["donations"] >= kCalls + kWarmUp);
    }
}

TEST_F(SpacesTest, EnginesAndTracesChangeNoNumber) {
    const Files plain = run("plain", 2);
    expect_equal(run("reference", 2, {"--set", "run.engine=reference"}), plain);
    Files traced = run("traced", 2, {"--set", "observe.perfetto=true"});
    const Files traced_by_reference = run(
        "traced-reference", 2, {"--set", "observe.perfetto=true", "--set", "run.engine=reference"});
    EXPECT_FALSE(traced["trace.pftrace"].empty());
    EXPECT_TRUE(traced["trace.pftrace"] == traced_by_reference.at("trace.pftrace"));
    for (const char* name : {"calls.csv", "spaces.csv", "bus.csv"})
        EXPECT_TRUE(traced[name] == plain.at(name)) << name;
}

}  // namespace
}  // namespace symsim::test
