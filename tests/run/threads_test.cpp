// SPDX-License-Identifier: MIT
// What a thread of the guests' package costs, counted by the simulator: locks taken, instructions,
// time; and what idle processors cost, which is nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json run_guest(const fs::path& image, unsigned processors, const std::string& arguments) {
    const ScratchFolder scratch;
    const std::string config = scratch.write(
        "config.toml", fmt::format("base = \"{}/configs/machines/symmetry-a.toml\"\n"
                                   "[machine]\nprocessors = {}\n[guest]\nimage = \"{}\"\n"
                                   "[guest.args]\n{}\n",
                                   SOURCE_FOLDER, processors, image.string(), arguments));
    const fs::path out = scratch.path() / "out";
    const Outcome outcome =
        run_symsim({config, "--quiet", "--out", out.string(), "--set", "run.limit_ms=2000"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return json::parse(read_text(out / "summary.json"), nullptr, false);
}

std::uint64_t acquisitions(const json& summary, const std::string& but = "") {
    std::uint64_t sum = 0;
    for (const json& lock : summary["locks"])
        if (lock["name"] != but) sum += lock["acquisitions"].get<std::uint64_t>();
    return sum;
}

struct Cost {
    double us, instructions, locks;  // a thread
};

// The difference of two runs of which one has more threads: without what a run costs anyway.
Cost null_thread(const std::string& strategy) {
    const fs::path image = fs::path(BUILD_FOLDER) / "guest" / ("null_threads-" + strategy + ".elf");
    const unsigned few = 100, many = 300;
    const json a = run_guest(image, 1, fmt::format("threads = {}", few));
    const json b = run_guest(image, 1, fmt::format("threads = {}", many));
    const double threads = many - few;
    const auto us = [](const json& s) { return s["guest"]["results"]["elapsed_us"].get<double>(); };
    return {(us(b) - us(a)) / threads,
            (b["instructions"].get<double>() - a["instructions"].get<double>()) / threads,
            static_cast<double>(acquisitions(b) - acquisitions(a)) / threads};
}

// ALL-09 to ALL-13 rest on these numbers of locks.
TEST(Threads, ALifeTakesAsManyLocksAsItsStrategySays) {
    for (const auto& [strategy, locks] : std::map<std::string, double>{{"single-lock", 2},
                                                                       {"multiple-locks", 6},
                                                                       {"local-freelist", 2},
                                                                       {"idle-queue", 2},
                                                                       {"local-readyq", 2},
                                                                       {"local-readyq-random", 2},
                                                                       {"local-when-busy", 2},
                                                                       {"random-probe", 2}})
        EXPECT_EQ(null_thread(strategy).locks, locks) << strategy;
}

// ALL-06, ALL-08, ALL-09: 35 to 75 us and 60 to 200 instructions, and the single lock the fastest.
TEST(Threads, ALifeOnOneProcessorIsAsShortAsThePapers) {
    const Cost single = null_thread("single-lock");
    EXPECT_GE(single.us, 35);
    EXPECT_LE(single.us, 75);
    EXPECT_GE(single.instructions, 60);
    EXPECT_LE(single.instructions, 200);
    for (const char* other : {"multiple-locks", "local-freelist", "idle-queue", "local-readyq"})
        EXPECT_GT(null_thread(other).us, single.us) << other;
}

// The first threads run while others are being created.
TEST(Threads, AShortWarmingUpEndsToo) {
    const json summary =
        run_guest(fs::path(BUILD_FOLDER) / "guest/null_threads-local-readyq-random.elf", 20,
                  "threads = 200\nwarm = 1");
    EXPECT_EQ(summary["guest"]["results"]["threads"], 200);
}

// Figures 3.1 to 3.3 take their times from there; the clock the guest reads is of whole us.
TEST(Threads, WhatIsTimedIsARegionOfTheSummary) {
    const unsigned processors = 3;
    const json summary = run_guest(fs::path(BUILD_FOLDER) / "guest/null_threads-single-lock.elf",
                                   processors, "threads = 300");
    ASSERT_EQ(summary["regions"].size(), 1u);
    const json& region = summary["regions"][0];
    EXPECT_EQ(region["begins"], processors);
    EXPECT_EQ(region["ends"], processors);
    const double us = region["last_end_us"].get<double>() - region["first_begin_us"].get<double>();
    EXPECT_NEAR(us, summary["guest"]["results"]["elapsed_us"].get<double>(), 20);
}

class Idle : public ::testing::TestWithParam<const char*> {};

// ALL-79: however long they idle, they try no lock and use no bus.
TEST_P(Idle, ProcessorsDisturbNobody) {
    const fs::path image =
        fs::path(BUILD_FOLDER) / "guest-tests" / fmt::format("threads_idle-{}.elf", GetParam());
    const json brief = run_guest(image, 8, "us = 3000");
    const json lasting = run_guest(image, 8, "us = 9000");
    const auto idle_us = [](const json& summary) {
        double sum = 0;
        for (const json& p : summary["processors"]) sum += p["activities_us"]["idle"].get<double>();
        return sum;
    };
    EXPECT_GT(idle_us(lasting), idle_us(brief) + 60000);
    // The same events come at other times, so a few differ; who polled would do it thousands of
    // times.
    const unsigned few = 20;
    EXPECT_LE(acquisitions(lasting), acquisitions(brief) + few);
    for (const auto& [kind, count] : lasting["bus"]["transactions_by_activity"]["idle"].items())
        EXPECT_LE(count.get<unsigned>(),
                  brief["bus"]["transactions_by_activity"]["idle"][kind].get<unsigned>() + few)
            << kind;
}

INSTANTIATE_TEST_SUITE_P(Strategies, Idle,
                         ::testing::Values("single-lock", "multiple-locks", "local-freelist",
                                           "idle-queue", "local-readyq", "local-readyq-random",
                                           "local-when-busy", "random-probe"));

// ALL-39: the pool of blocks is used once in T/2 times that a block is taken or given back.
TEST(Threads, ThePoolOfBlocksIsSeldomUsed) {
    const unsigned processors = 8, threads = 1000;
    const json summary =
        run_guest(fs::path(BUILD_FOLDER) / "guest-tests/threads_random-local-freelist.elf",
                  processors, fmt::format("threads = {}", threads));
    std::uint64_t pool = 0;
    for (const json& lock : summary["locks"])
        if (lock["name"] == "pool_lock") pool = lock["acquisitions"];
    EXPECT_GT(pool, 0u);
    EXPECT_LE(pool, 2 * threads / (processors / 2));
}

}  // namespace
}  // namespace symsim::test
