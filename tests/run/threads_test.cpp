// SPDX-License-Identifier: MIT
// Measures what a thread of the guests' thread package costs: lock acquisitions, instructions,
// time. Idle processors must cost nothing. The limits are claims of ALL (Anderson, Lazowska & Levy,
// 1989), numbered as in papers/ALL/pages/thread-management.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

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
    double us, instructions, locks;  // per thread
};

// The difference between two runs with different numbers of threads, per thread. It excludes the
// fixed cost of a run.
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

// Claims ALL-09 to ALL-13 (ALL Figures 3.1 and 3.2, sections 3.3 and 3.6) rest on these numbers of
// locks.
TEST(Threads, AThreadTakesAsManyLocksAsItsStrategySays) {
    std::istringstream declared(STRATEGY_LOCKS);  // of the strategies' files
    unsigned found = 0;
    double locks = 0;
    for (std::string strategy; declared >> strategy >> locks; ++found)
        EXPECT_EQ(null_thread(strategy).locks, locks) << strategy;
    EXPECT_GE(found, 8u);
}

// A thread takes 35 to 75 us (ALL sections 1 and 3.6, claim ALL-06) and 60 to 200 instructions
// (section 3.6, ALL-08). The single lock is the fastest strategy (Figure 3.2, ALL-09).
TEST(Threads, AThreadOnOneProcessorCostsWhatThePaperSays) {
    const Cost single = null_thread("single-lock");
    EXPECT_GE(single.us, 35);
    EXPECT_LE(single.us, 75);
    EXPECT_GE(single.instructions, 60);
    EXPECT_LE(single.instructions, 200);
    for (const char* other : {"multiple-locks", "local-freelist", "idle-queue", "local-readyq"})
        EXPECT_GT(null_thread(other).us, single.us) << other;
}

// With a warm-up as short as this, the first threads run while others are still being created.
TEST(Threads, AShortWarmUpEndsToo) {
    const json summary =
        run_guest(fs::path(BUILD_FOLDER) / "guest/null_threads-local-readyq-random.elf", 20,
                  "threads = 200\nwarm = 1");
    EXPECT_EQ(summary["guest"]["results"]["threads"], 200);
}

// Figures 3.1 to 3.3 take their times from this region. The guest's own time is less exact, since
// the clock it reads counts whole microseconds.
TEST(Threads, TheTimedPartIsARegionOfTheSummary) {
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

// However long processors idle, they try no lock and do not use the bus (ALL sections 2 and 3.1,
// claim ALL-79).
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
    // The counts of the two runs may differ by a few, since events come at other times. A processor
    // that polls would add thousands.
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

// The pool of blocks is used at most once per T/2 times that a block is taken or returned, where T
// is the threshold of the free lists (ALL section 3.3, claim ALL-39).
TEST(Threads, ThePoolOfBlocksIsRarelyUsed) {
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

// One processor only takes blocks, the others only return them. So each whole list is T/2 accesses
// long, for odd T rounded up. One list is two accesses longer: that of the processor that takes a
// block for the first thread, and then returns one.
TEST(Threads, TheGuestCountsWholeListsOfBlocks) {
    const unsigned creates = 100;
    for (const unsigned processors : {2u, 3u, 8u}) {
        const json summary =
            run_guest(fs::path(BUILD_FOLDER) / "guest/creates-local-freelist.elf", processors,
                      fmt::format("creates = {}\napart_us = 300", creates));
        const unsigned half = (processors + 1) / 2;
        const json& results = summary["guest"]["results"];
        const unsigned lists = results["whole_lists"];
        EXPECT_EQ(results["list_accesses"], lists * half + 2);
        std::uint64_t pool = 0;
        for (const json& lock : summary["locks"])
            if (lock["name"] == "pool_lock") pool = lock["acquisitions"];
        EXPECT_LT(lists, pool);
        EXPECT_GE(lists + processors, pool)
            << "at most the first access of each begins no whole list";
    }
}

// Of the free lists of memory-conscious: with the limit M = 16, M/2 blocks move at once, so there
// are at most 2/M accesses of a pool for each of a list (MTH section 4.3, claim MTH-27). One
// processor only takes blocks, the others return them.
TEST(Threads, ThePoolOfANodeIsUsedOnceForHalfItsLimit) {
    const unsigned limit = 16;
    const json summary = run_guest(fs::path(BUILD_FOLDER) / "guest/creates-memory-conscious.elf", 4,
                                   "creates = 200\napart_us = 300");
    const unsigned lists = summary["guest"]["results"]["whole_lists"];
    const unsigned accesses = summary["guest"]["results"]["list_accesses"];
    EXPECT_GE(lists, 200 / limit);
    EXPECT_GE(accesses, lists * limit / 2);
}

// A thread of Jacobi's method that waits for its neighbours only computes the same grid, on two
// nodes.
TEST(Threads, NeighboursAreEnoughForJacobi) {
    for (const std::string affinity : {"none", "vtime"}) {
        const ScratchFolder scratch;
        const Outcome outcome =
            run_symsim({SOURCE_FOLDER "/configs/machines/spp1000.toml", "--quiet", "--out",
                        (scratch.path() / "out").string(), "--set",
                        "guest.image=" BUILD_FOLDER "/guest/jacobi_threads-memory-conscious-" +
                            affinity + ".elf",
                        "--set", "machine.processors=12", "--set", "guest.args.neighbours=1",
                        "--set", "guest.args.sweeps=7"});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;  // the guest compares the grids
    }
}

// Couples of threads are nearly as many
// times as fast with eight processors, while central queues make them slower (MTH Figure 15, claims
// MTH-07 and MTH-08).
TEST(Threads, CouplesNeedQueuesOfTheirProcessors) {
    const auto rate = [](const std::string& strategy, unsigned processors) {
        const ScratchFolder scratch;
        const std::string out = (scratch.path() / "out").string();
        const Outcome outcome = run_symsim(
            {SOURCE_FOLDER "/configs/machines/spp1000.toml", "--quiet", "--out", out, "--set",
             "guest.image=" BUILD_FOLDER "/guest/mutex_pairs-" + strategy + ".elf", "--set",
             fmt::format("machine.processors={}", processors), "--set", "run.limit_ms=2000",
             "--set", "guest.args.threads=256"});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        const json summary = json::parse(read_text(fs::path(out) / "summary.json"), nullptr, false);
        return summary["guest"]["results"]["locks_per_second"].get<double>();
    };
    EXPECT_GT(rate("memory-conscious", 8), 6 * rate("memory-conscious", 1));
    EXPECT_LT(rate("central-pools", 8), rate("central-pools", 2) / 2);
}

}  // namespace
}  // namespace symsim::test
