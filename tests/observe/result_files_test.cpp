// SPDX-License-Identifier: MIT
#include "sim/observe/run_files.h"

#include <nlohmann/json.hpp>

#include "sim/base/failure.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;
using testing::contents;
using ResultFilesTest = testing::InFolder;

ResultFiles::Save text(const char* text) {
    return [text](const fs::path& path) { return write_file(path, text); };
}

std::string error_of(ResultFiles& files) {
    try {
        files.finish(RunReport());
    } catch (const OutputError& error) {
        return error.what();
    }
    return "";
}

TEST_F(ResultFilesTest, TheManifestHasNameSizeAndDigestOfEachFileInOrder) {
    ResultFiles files(folder_);
    files.save("summary.json", text("abc"));
    files.save("host.json", text("differs from host to host"));
    files.save("bus.csv", text(""));
    RunReport report;
    report.status = RunStatus::time_limit;
    files.finish(report);
    const auto manifest = nlohmann::json::parse(contents(folder_ / "manifest.json"));
    const auto expected = nlohmann::json::parse(R"({
        "schema_version": 2,
        "status": "time-limit",
        "files": [
            {"name": "bus.csv", "size_bytes": 0, "sha256":
             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
            {"name": "summary.json", "size_bytes": 3, "sha256":
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}]})");
    EXPECT_EQ(manifest, expected);
}

TEST_F(ResultFilesTest, AFileSavedTwiceIsInTheManifestOnce) {
    ResultFiles files(folder_);
    files.save("summary.json", text("abc"));
    files.save("summary.json", text("abcd"));
    files.finish(RunReport());
    const auto manifest = nlohmann::json::parse(contents(folder_ / "manifest.json"));
    ASSERT_EQ(manifest["files"].size(), 1u);
    EXPECT_EQ(manifest["files"][0]["size_bytes"], 4);
}

TEST_F(ResultFilesTest, AFullDiskLosesOneFileAndTheErrorNamesAllThatAreMissing) {
    fs::create_symlink("/dev/full", folder_ / "bus.csv");
    ResultFiles files(folder_);
    files.save("bus.csv", text("x"));
    EXPECT_TRUE(files.failed());
    files.save("locks.csv", text("y"));
    EXPECT_EQ(contents(folder_ / "locks.csv"), "y");
    const std::string error = error_of(files);
    EXPECT_NE(error.find((folder_ / "bus.csv").string() + ": No space left"), std::string::npos);
    EXPECT_NE(error.find("missing: bus.csv, manifest.json;"), std::string::npos) << error;
    EXPECT_FALSE(fs::exists(folder_ / "manifest.json"));
}

TEST_F(ResultFilesTest, AManifestThatCannotBeWrittenIsReported) {
    fs::create_symlink("/dev/full", folder_ / "manifest.json");
    ResultFiles files(folder_);
    files.save("locks.csv", text("y"));
    EXPECT_NE(error_of(files).find("missing: manifest.json;"), std::string::npos);
}

}  // namespace
}  // namespace symsim
