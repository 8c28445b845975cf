// SPDX-License-Identifier: MIT
// symsim CONFIG --schedules: each schedule gives what a run of its own gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/symsim_program.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

using Json = nlohmann::json;

class Schedules : public ::testing::Test {
  protected:
    std::string config(const std::string& more = "") {
        return scratch_
            .write("config.toml",
                   "guest.image = \"" BUILD_FOLDER
                   "/guest-tests/preempt.elf\"\nmachine.processors = 3\ncache.store_policy = "
                   "\"buffered\"\nschedule.from = \"region\"\nschedule.region = 5\nrun.limit_ms = "
                   "20.0\n" +
                       more)
            .string();
    }
    Outcome batch(const std::string& schedules, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {config(), "--schedules"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_symsim(arguments, schedules);
    }
    static std::vector<Json> rows(const Outcome& outcome) {
        std::vector<Json> all;
        std::istringstream text(outcome.out);
        for (std::string line; std::getline(text, line);) all.push_back(Json::parse(line));
        return all;
    }
    Json summary(const std::string& holds, const std::string& engine,
                 const std::vector<std::string>& more = {}) {
        const auto out = scratch_.path() / "out";
        std::vector<std::string> arguments = {config(), "--quiet",
                                              "--out",  out.string(),
                                              "--set",  "schedule.holds=" + holds,
                                              "--set",  "run.engine=" + engine};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_symsim(arguments);
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return Json::parse(result_files(out).at("summary.json"));
    }

    ScratchFolder scratch_;
};

constexpr const char* kThree =
    "\n0 access 2 hold 30000, 0 access 3 hold 5000\n0 instruction 3 interrupt, 0 access 5 stores "
    "9000\n";

TEST_F(Schedules, GiveTheSameOnBothEngines) {
    const Outcome fast = batch(kThree, {"--set", "run.engine=fast"});
    const Outcome reference = batch(kThree, {"--set", "run.engine=reference"});
    EXPECT_EQ(fast.exit, 0) << fast.err;
    EXPECT_EQ(fast.out, reference.out);
    EXPECT_EQ(rows(fast).size(), 3u);
}

TEST_F(Schedules, EndAsARunOfItsOwnDoes) {
    for (const Json& row : rows(batch(kThree))) {
        for (const std::string engine : {"fast", "reference"}) {
            const Json own = summary(row["schedule"], engine);
            EXPECT_EQ(row["status"], own["status"]);
            EXPECT_EQ(row["end_ps"].get<double>() / 1e6, own["simulated_us"].get<double>());
            if (row["holds"].empty()) continue;
            ASSERT_EQ(row["holds"].size(), own["schedule"].size());
            for (std::size_t i = 0; i < row["holds"].size(); ++i) {
                EXPECT_EQ(own["schedule"][i]["reached"], !row["holds"][i].is_null());
                if (row["holds"][i].is_null()) continue;
                EXPECT_EQ(row["holds"][i][0].get<double>() / 1e6, own["schedule"][i]["start_us"]);
                EXPECT_EQ(row["holds"][i][1].get<double>() / 1e6, own["schedule"][i]["end_us"]);
            }
        }
    }
}

// For programs that mark no region.
TEST_F(Schedules, CountFromTheStartOfTheRunIfAsked) {
    const std::vector<std::string> start = {"--set", "schedule.from=start"};
    for (const Json& row : rows(batch("\n1 access 2 hold 700000\n", start))) {
        EXPECT_EQ(row["begin_ps"], 0);
        EXPECT_EQ(row["status"], "finished");
        for (const std::string engine : {"fast", "reference"}) {
            const Json own = summary(row["schedule"], engine, start);
            EXPECT_EQ(row["end_ps"].get<double>() / 1e6, own["simulated_us"].get<double>());
            if (row["holds"].empty()) continue;
            EXPECT_EQ(row["holds"][0][0].get<double>() / 1e6, own["schedule"][0]["start_us"]);
        }
    }
}

TEST_F(Schedules, NameArgumentsThatTheGuestNeverAsksFor) {
    const std::vector<std::string> lock = {
        "--set", "guest.image=\"" BUILD_FOLDER "/guest/check_lock-read.elf\"", "--set",
        "schedule.region=1"};
    std::vector<std::string> wrong = lock;
    wrong.insert(wrong.end(), {"--set", "guest.args.aquisitions=1"});
    EXPECT_EQ(rows(batch("\n", lock)).at(0).count("unused_arguments"), 0u);
    const Json unused = rows(batch("\n", wrong)).at(0)["unused_arguments"];
    ASSERT_EQ(unused.size(), 1u);
    EXPECT_EQ(unused[0]["name"], "aquisitions");
    EXPECT_EQ(unused[0]["hint"], "did you mean acquisitions?");
}

TEST_F(Schedules, SayWhichHoldWasNotReached) {
    const auto all = rows(batch("0 access 100000 hold 5\n"));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all[0]["holds"][0].is_null());
}

TEST_F(Schedules, ListOnlyAccessesToSharedLines) {
    const auto all =
        rows(batch("\n", {"--set", "guest.image=\"" BUILD_FOLDER "/guest/check_lock-read.elf\"",
                          "--set", "schedule.region=1"}));
    ASSERT_EQ(all.size(), 1u);
    const std::vector<std::int64_t> events = all[0]["events"];
    ASSERT_EQ(events.size() % 9, 0u);
    std::map<std::int64_t, std::set<std::int64_t>> users;
    std::set<std::int64_t> stored;  // lines of 16 bytes
    for (std::size_t n = 0; n < events.size(); n += 9) {
        if (events[n + 2] >= 256) continue;  // a probe point
        users[events[n + 3] / 16].insert(events[n + 1]);
        if (events[n + 2] % 2 == 1) stored.insert(events[n + 3] / 16);
    }
    EXPECT_FALSE(users.empty());
    for (const auto& [line, processors] : users) {
        EXPECT_GE(processors.size(), 2u) << line;
        EXPECT_EQ(stored.count(line), 1u) << line;
    }
    EXPECT_GT(all[0]["begin_ps"], 0);
    EXPECT_EQ(all[0]["positions"].size(), 3u);
}

// A hold of a second is longer than run.limit_ms.
TEST_F(Schedules, SayHowARunEnded) {
    const auto all = rows(batch("\n0 access 3 hold 1000000000\n"));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["status"], "finished");
    EXPECT_EQ(all[0]["exit_status"], 0);
    EXPECT_EQ(all[1]["status"], "time-limit");
    EXPECT_EQ(all[1]["end_ps"], 20 * 1'000'000'000LL);
}

TEST_F(Schedules, OfWrongTextAreRefused) {
    const Outcome outcome = batch("\n0 access x hold 5\n");
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "standard input: \"0 access x hold 5\" is not an entry");
    EXPECT_EQ(rows(outcome).size(), 1u) << "those before it are run";
}

TEST_F(Schedules, NeedARegionAndNoOtherMeansOfStopping) {
    const Outcome region = batch("\n", {"--set", "schedule.region=6"});
    EXPECT_EQ(region.exit, 2);
    EXPECT_SAYS(region.err, "no processor had begun region 6");
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{"--out", "x"},
                                               {"--json"},
                                               {"--set", "preempt.instructions=3"},
                                               {"--set", "schedule.holds=0 access 3 hold 5"}}) {
        const Outcome outcome = batch("\n", more);
        EXPECT_EQ(outcome.exit, 2);
        EXPECT_SAYS(outcome.err, "--schedules");
    }
}

}  // namespace
}  // namespace symsim::test
