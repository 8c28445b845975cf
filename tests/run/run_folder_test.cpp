// SPDX-License-Identifier: MIT
// The folder of a run: one run at a time has it, the inputs of the run in it are safe, and nothing
// of an earlier run stays.
#include "sim/base/sha256.h"
#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

using RunFolderTest = FailureTest;

TEST_F(RunFolderTest, ASecondRunIsRefusedBeforeItTouchesAnything) {
    const std::string endless = config(kCount);
    Child child({endless, "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "console.txt.part"));
    const auto before = files();
    const Outcome second = run(endless);
    EXPECT_EQ(second.exit, 2);
    EXPECT_SAYS(second.err, out().string());
    EXPECT_SAYS(second.err, "process " + std::to_string(child.id()));
    EXPECT_SAYS(second.err, "--out");
    EXPECT_EQ(files(), before);
    EXPECT_EQ(run(endless, {"--quiet", "--check"}).exit, 0) << "it writes nothing";
    child.send(SIGTERM);
    EXPECT_EQ(child.wait(), 130);
    EXPECT_EQ(summary()["status"], "interrupted");
    const std::string said = read_text(errors());
    EXPECT_EQ(said.rfind("symsim: interrupted at ", 0), 0u) << said;
}

TEST_F(RunFolderTest, AKilledRunLeavesNoLock) {
    Child child({config(kCount), "--quiet", "--out", out().string()}, errors());
    ASSERT_TRUE(appears(out() / "console.txt.part"));
    child.send(SIGKILL);
    child.wait();
    EXPECT_EQ(run(config(kWork)).exit, 0);
    EXPECT_FALSE(fs::exists(out() / ".symsim.lock"));
}

// --- inputs

TEST_F(RunFolderTest, NoInputIsReplacedOrRemoved) {
    fs::create_directories(out());
    const std::string base = config(kWork, "stdin = \"" + (out() / "trace.vcd").string() + "\"\n");
    const std::string above = scratch.write("above.toml", "base = \"config.toml\"\n").string();
    const std::string input(200, 'x');
    const auto refused = [&](const fs::path& place, const std::string& what) {
        for (const char* option : {"--quiet", "--check"}) {
            const std::string before = read_text(place);
            const Outcome outcome = run(above, {option});
            EXPECT_EQ(outcome.exit, 2) << place << " " << option;
            EXPECT_SAYS(outcome.err, place.string() + ": this is an input of the run (" + what);
            EXPECT_SAYS(outcome.err, "--out");
            EXPECT_EQ(read_text(place), before);
            EXPECT_FALSE(fs::exists(out() / "summary.json"));
        }
        fs::remove(place);
    };
    scratch.write("out/trace.vcd", input);
    refused(out() / "trace.vcd", "guest.stdin");
    scratch.write("out/trace.vcd.part", input);
    fs::create_symlink("trace.vcd.part", out() / "trace.vcd");
    refused(out() / "trace.vcd", "guest.stdin");
    scratch.write("input", input);
    config(kWork, "stdin = \"" + (scratch.path() / "input").string() + "\"\n");
    fs::remove(out() / "trace.vcd.part");
    fs::create_hard_link(scratch.path() / "input", out() / "report.html");
    refused(out() / "report.html", "guest.stdin");
    fs::create_hard_link(base, out() / "config.toml");
    refused(out() / "config.toml", "config file");
    fs::create_symlink(above, out() / "config.toml");
    refused(out() / "config.toml", "config file");
    fs::create_symlink(scratch.path() / "guest.elf", out() / "bus.csv");
    refused(out() / "bus.csv", "guest.image");
    scratch.write("out/mine.txt", input);
    EXPECT_EQ(run(above).exit, 0);
}

TEST_F(RunFolderTest, TheConfigInTheFolderOfTheResultsIsSafe) {
    const std::string file = config(kWork);
    const std::string before = read_text(file);
    const Outcome outcome = run_symsim({file, "--quiet", "--out", scratch.path().string()});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_SAYS(outcome.err, "config.toml: this is an input of the run");
    EXPECT_EQ(read_text(file), before);
}

// --- files of an earlier run, and the manifest

TEST_F(RunFolderTest, NothingOfAnEarlierRunStays) {
    const std::string traced = "[observe]\nvcd = true\ntransactions = true\nperfetto = true\n";
    ASSERT_EQ(run(config(kWork, traced), {"--quiet"}).exit, 0);
    for (const char* derived :
         {"report.html", "compared-with-b.html", "trace.fst", "bus.parquet", "bus.log.zst.part"})
        scratch.write("out/" + std::string(derived), "old");
    scratch.write("out/mine.txt", "mine");
    ASSERT_EQ(run(config(kWork)).exit, 0);
    std::vector<std::string> names;
    for (const auto& [name, text] : files()) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"bus.csv", "config.toml", "console.txt", "locks.csv",
                                               "manifest.json", "mine.txt", "summary.json"}));
}

TEST_F(RunFolderTest, TheManifestListsAllFilesAlsoOfARunThatIsCutShort) {
    const std::string everything =
        "[run]\nlimit_ms = 1.0\n[observe]\nvcd = true\ntransactions = true\nperfetto = true\n"
        "profile_us = 10.0\n";
    const std::string file_of_all = config(kLockForEver, everything);
    ASSERT_EQ(run(file_of_all, {"--quiet"}).exit, 5);
    const nlohmann::json manifest =
        nlohmann::json::parse(read_text(out() / "manifest.json"), nullptr, false);
    ASSERT_FALSE(manifest.is_discarded());
    EXPECT_EQ(manifest["schema_version"], 2);
    EXPECT_EQ(manifest["status"], "time-limit");
    auto there = files();
    there.erase("manifest.json");
    EXPECT_EQ(there.size(), 9u);
    ASSERT_EQ(manifest["files"].size(), there.size());
    auto file = there.begin();
    for (const nlohmann::json& listed : manifest["files"]) {
        EXPECT_EQ(listed["name"], file->first);
        EXPECT_EQ(listed["size_bytes"], file->second.size());
        EXPECT_EQ(listed["sha256"], sha256({file->second.begin(), file->second.end()}));
        ++file;
    }
}

}  // namespace
}  // namespace symsim::test
