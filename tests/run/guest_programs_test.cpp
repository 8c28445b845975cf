// SPDX-License-Identifier: MIT
// Runs every guest program of tests/guest as its .expect file says, and the counter workload with
// every lock. Results must be right, and both engines must write the same files to the byte. The
// reference engine takes most of the time, so it runs each program, and each lock's counter, on a
// third of its numbers of processors; with SYMSIM_ALL_ENGINES in the environment (make
// soak-engines) on all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;

struct GuestRun {
    Outcome outcome;
    std::map<std::string, std::string> files;
    nlohmann::json summary;
};

// Runs the image in both engines, compares their files, and returns the run of the fast engine.
// Without `both` it runs only in the fast engine.
GuestRun run_both(const fs::path& image, const std::string& machine,
                  const std::vector<std::string>& settings = {}, const std::string& input = "",
                  bool both = true) {
    const ScratchFolder scratch;
    scratch.write("input", input);
    const std::string config = scratch.write(
        "config.toml", fmt::format("{}\n[guest]\nimage = \"{}\"\n{}", machine, image.string(),
                                   input.empty() ? "" : "stdin = \"input\"\n"));
    std::array<GuestRun, 2> runs;
    for (std::size_t i = 0; i < (both ? 2 : 1); ++i) {
        const std::string engine = i == 0 ? "fast" : "reference";
        const fs::path out = scratch.path() / engine;
        std::vector<std::string> arguments{
            config,  "--quiet",          "--out", out.string(), "--set", "run.engine=" + engine,
            "--set", "run.limit_ms=2000"};
        for (const std::string& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        runs[i].outcome = run_symsim(arguments);
        runs[i].files = result_files(out);
    }
    std::size_t expected = 6;
    for (const char* if_any :
         {"processes.csv", "calls.csv", "spaces.csv", "misses.csv", "pages.csv", "links.csv"})
        expected += runs[0].files.count(if_any);
    EXPECT_EQ(runs[0].files.size(), expected) << "summary, bus, locks, config, console, manifest";
    if (both) {
        EXPECT_EQ(runs[0].outcome.exit, runs[1].outcome.exit);
        EXPECT_EQ(runs[0].files.size(), runs[1].files.size());
    }
    for (const auto& [name, bytes] : runs[0].files)
        EXPECT_TRUE(!both || bytes == runs[1].files[name])
            << name << " differs between the engines";
    runs[0].summary = nlohmann::json::parse(runs[0].files["summary.json"], nullptr, false);
    EXPECT_FALSE(runs[0].summary.is_discarded()) << runs[0].outcome.err;
    return std::move(runs[0]);
}

// --- tests/guest ------------------------------------------------------------------------------

struct Program {
    std::string name;
    unsigned processors;
    bool both = true;  // in both engines
};

void PrintTo(const Program& program, std::ostream* out) {
    *out << program.name << " on " << program.processors;
}

fs::path expect_file(const std::string& program) {
    const std::string source = program.substr(0, program.find('-'));
    return fs::path(SOURCE_FOLDER) / "tests/guest" / (source + ".expect");
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

// As tests/guest/CMakeLists.txt builds them: a test of locks, barriers or strategies is there once
// for each of them, as TEST-NAME.
const std::vector<std::string>& names() {
    static const std::vector<std::string> all = words(GUEST_TESTS);
    return all;
}

// The numbers of processors that an .expect file lists. The file of a test of locks serves for each
// lock, and each test case is a process that asks for all.
const std::vector<unsigned>& counts_of(const fs::path& expect) {
    static std::map<fs::path, std::vector<unsigned>> known;
    const auto [place, is_new] = known.try_emplace(expect);
    if (is_new) {
        const toml::table table = toml::parse_file(expect.string());
        if (const toml::array* const counts = table["processors"].as_array())
            for (const toml::node& count : *counts) place->second.push_back(count.value_or(0u));
        else
            place->second = {1};
    }
    return place->second;
}

// Where a program is there once for each lock or strategy, the numbers of processors for both
// engines alternate, so that each number has some of them.
void add_alternating(const std::string& name, const std::vector<unsigned>& counts,
                     std::size_t first, std::vector<Program>& all) {
    const bool all_engines = std::getenv("SYMSIM_ALL_ENGINES") != nullptr;
    for (const unsigned count : counts)
        all.push_back({name, count, all_engines || counts.size() == 1 || first++ % 3 == 0});
}

std::vector<Program> programs() {
    std::vector<Program> all;
    std::size_t first = 0;
    for (const std::string& name : names())
        add_alternating(name, counts_of(expect_file(name)), first++, all);
    return all;
}

// A value as text that can be compared: an integer as digits, a string without quotes.
std::string plain(const toml::node& value) {
    if (const auto text = value.value<std::string>()) return *text;
    return fmt::format("{}", value.value_or(std::int64_t{0}));
}
std::string plain(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string name_of(const ::testing::TestParamInfo<Program>& info) {
    std::string name = fmt::format("{}_on_{}", info.param.name, info.param.processors);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class GuestProgram : public ::testing::TestWithParam<Program> {};

TEST_P(GuestProgram, DoesWhatItsExpectFileSays) {
    const auto& [program, processors, both] = GetParam();
    const toml::table expect = toml::parse_file(expect_file(program).string());
    const fs::path image = fs::path(BUILD_FOLDER) / "guest-tests" / (program + ".elf");
    ASSERT_TRUE(fs::exists(image)) << image;
    std::string machine =
        fmt::format("[machine]\nprocessors = {}\n[processor]\nisa = \"{}\"\n[run]\nseed = {}\n",
                    processors, expect["isa"].value_or("i386"), expect["seed"].value_or(0));
    if (const toml::table* arguments = expect["args"].as_table()) {
        machine += "[guest.args]\n";
        for (const auto& [key, value] : *arguments)
            machine += value.is_string() ? fmt::format("{} = \"{}\"\n", key.str(), plain(value))
                                         : fmt::format("{} = {}\n", key.str(), plain(value));
    }
    std::vector<std::string> settings;
    if (const toml::array* given = expect["settings"].as_array())
        for (const toml::node& setting : *given) settings.push_back(plain(setting));
    GuestRun run = run_both(image, machine, settings, expect["stdin"].value_or(""), both);
    const int status = expect["exit_status"].value_or(0);
    EXPECT_EQ(run.outcome.exit, status == 0 ? 0 : 1) << run.files["console.txt"];
    EXPECT_EQ(run.summary["status"], "finished");
    EXPECT_EQ(run.summary["guest"]["exit_status"], status);
    if (auto console = expect["console"].value<std::string>()) {
        if (const std::size_t at = console->find("{last}"); at != std::string::npos)
            console->replace(at, 6, fmt::format("{}", processors - 1));
        EXPECT_EQ(run.files["console.txt"], *console);
    }
    if (const toml::table* results = expect["results"].as_table())
        for (const auto& [key, value] : *results) {
            const auto& found = run.summary["guest"]["results"][std::string(key.str())];
            EXPECT_EQ(plain(found), plain(value)) << key.str();
        }
}

INSTANTIATE_TEST_SUITE_P(Guest, GuestProgram, ::testing::ValuesIn(programs()), name_of);

// Fails if a program is added to tests/guest and not run here.
TEST(GuestPrograms, NoneIsLeftOut) {
    std::set<std::string> sources;
    for (const std::string& name : names()) sources.insert(expect_file(name).stem().string());
    for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_FOLDER) / "tests/guest")) {
        if (entry.path().extension() != ".expect") continue;
        EXPECT_EQ(sources.count(entry.path().stem().string()), 1u) << entry.path();
    }
    for (const auto& entry : fs::directory_iterator(fs::path(BUILD_FOLDER) / "guest-tests")) {
        const std::string name = entry.path().stem().string();
        // The others are tested by probes_test.py and failure_test.cpp.
        const bool under_test = name.find("-bare") == std::string::npos && name != "crash";
        if (entry.path().extension() != ".elf" || !under_test) continue;
        EXPECT_EQ(std::count(names().begin(), names().end(), name), 1) << entry.path();
    }
}

// --- the counter --------------------------------------------------------------------------------

class CounterGuest : public ::testing::TestWithParam<Program> {};

std::vector<Program> counters() {
    std::vector<Program> all;
    std::size_t first = 0;
    for (const std::string& lock : words(LOCKS)) add_alternating(lock, {1, 3, 20}, first++, all);
    return all;
}

TEST_P(CounterGuest, CountsRightUnderEveryLock) {
    const auto& [lock, processors, both] = GetParam();
    const unsigned increments = 300;
    GuestRun run = run_both(fs::path(BUILD_FOLDER) / "guest" / ("counter-" + lock + ".elf"),
                            fmt::format("[machine]\nprocessors = {}\n[processor]\nisa = \"i486\"\n"
                                        "[guest.args]\nincrements = {}\n",
                                        processors, increments),
                            {}, "", both);
    EXPECT_EQ(run.outcome.exit, 0) << run.files["console.txt"];
    const nlohmann::json& results = run.summary["guest"]["results"];
    EXPECT_EQ(results["increments"], increments);
    EXPECT_GT(results["elapsed_us"].get<double>(), 0);
    EXPECT_LE(results["share_minimum"].get<unsigned>() * processors, increments);
    EXPECT_GE(results["share_maximum"].get<unsigned>() * processors, increments);
    // The lock's probe points counted every entry into the critical section.
    std::uint64_t acquisitions = 0;
    for (const nlohmann::json& l : run.summary["locks"])
        if (l["name"] == "counter_lock") acquisitions = l["acquisitions"];
    EXPECT_EQ(acquisitions, increments);
}

INSTANTIATE_TEST_SUITE_P(Locks, CounterGuest, ::testing::ValuesIn(counters()), name_of);

}  // namespace
}  // namespace symsim::test
