// SPDX-License-Identifier: MIT
// Tests checkpoint files of random guests in random machines. A run restored from a checkpoint must
// write the same bytes as an uninterrupted run, in either engine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/engine/random_run.h"

namespace symsim::test {
namespace {

using Files = std::map<std::string, std::string>;

Files without_checkpoints(Files files) {
    for (auto file = files.begin(); file != files.end();)
        file = file->first.rfind("checkpoint-", 0) == 0 ? files.erase(file) : std::next(file);
    nlohmann::ordered_json manifest = nlohmann::ordered_json::parse(files.at("manifest.json"));
    nlohmann::ordered_json kept = nlohmann::ordered_json::array();
    for (const auto& file : manifest["files"])
        if (files.count(file["name"])) kept.push_back(file);
    manifest["files"] = kept;
    files["manifest.json"] = manifest.dump(2) + "\n";
    return files;
}

void expect_equal(const Files& files, const Files& expected, const std::string& what) {
    ASSERT_EQ(files.size(), expected.size()) << what;
    for (const auto& [name, bytes] : expected)
        EXPECT_TRUE(bytes == files.at(name)) << name << " differs: " << what;
}

double simulated_us(const Files& files) {
    return nlohmann::json::parse(files.at("summary.json")).at("simulated_us").get<double>();
}

// Takes two checkpoints of one guest in one machine, and restores each in both engines. Returns
// whether the guest ended before the time limit.
bool goes_on(unsigned seed, const MakeGuest& make, const std::vector<std::string>& machine = {}) {
    const ScratchFolder scratch;
    const std::string config = write_random_run(scratch, seed, make);
    const auto run = [&](const std::string& out, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {config,  "--quiet",
                                              "--out", (scratch.path() / out).string(),
                                              "--set", "observe.vcd=false",
                                              "--set", "observe.transactions=false",
                                              "--set", "observe.perfetto=false"};
        arguments.insert(arguments.end(), machine.begin(), machine.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_symsim(arguments);
        EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1 || outcome.exit == 5) << outcome.err;
        return outcome.exit;
    };
    const int exit = run("free", {});
    const Files free = result_files(scratch.path() / "free");
    std::mt19937 random(seed);
    const auto time = [&] {
        const double at = std::uniform_real_distribution<>(0, simulated_us(free))(random);
        return fmt::format("{:.4f}us", std::max(at, 0.001));
    };
    EXPECT_EQ(run("taken", {"--checkpoint-at", time(), "--checkpoint-at", time()}), exit);
    expect_equal(without_checkpoints(result_files(scratch.path() / "taken")), free, "taking them");
    for (const auto& file : std::filesystem::directory_iterator(scratch.path() / "taken")) {
        const std::string name = file.path().string();
        if (file.path().extension() != ".symsim") continue;
        for (const char* engine : {"fast", "reference"}) {
            EXPECT_EQ(
                run("restored", {"--restore", name, "--set", fmt::format("run.engine={}", engine)}),
                exit);
            expect_equal(result_files(scratch.path() / "restored"), free, name + " " + engine);
        }
    }
    return exit != 5;
}

TEST(Checkpoints, RandomGuestsContinueFromThem) {
    for_many_seeds(20, [](unsigned seed) { return goes_on(seed, random_guest); });
}

TEST(Checkpoints, RandomSystemsContinueFromThem) {
    for_many_seeds(12, [](unsigned seed) { return goes_on(seed, random_system); });
}

// In a cache so small that lines are written back all the time.
TEST(Checkpoints, GuestsWithFrequentWriteBacksContinueFromThem) {
    std::vector<std::string> machine = kCopiesBack;
    machine.insert(machine.end(), {"--set", "memory.latency_cycles=6"});
    for_many_seeds(12, [&](unsigned seed) { return goes_on(seed, random_guest, machine); });
}

}  // namespace
}  // namespace symsim::test
