// SPDX-License-Identifier: MIT
#include "sim/observe/output_file.h"

#include <sys/stat.h>

#include "sim/base/failure.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::contents;
using OutputFileTest = testing::InFolder;

std::string error_of(OutputFile& file) {
    try {
        file.commit();
    } catch (const OutputError& error) {
        return error.what();
    }
    return "";
}

TEST_F(OutputFileTest, FileAppearsOnlyAtCommit) {
    const auto path = folder_ / "summary.json";
    OutputFile file(path);
    file.write("some ");
    file.write("text");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
    EXPECT_EQ(contents(path), "some text");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "summary.json.part"));
}

TEST_F(OutputFileTest, OlderFileStaysUntilCommit) {
    const auto path = folder_ / "bus.csv";
    write_file(path, "old");
    {
        OutputFile file(path);
        file.write("new");
    }
    EXPECT_EQ(contents(path), "old");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bus.csv.part"));
    write_file(path, "new");
    EXPECT_EQ(contents(path), "new");
}

TEST_F(OutputFileTest, MoreThanABufferIsWrittenCompletely) {
    const std::string line(1000, 'x');
    OutputFile file(folder_ / "long");
    for (int i = 0; i < 1000; ++i) file.write(line);
    EXPECT_EQ(file.bytes(), 1'000'000u);
    file.commit();
    EXPECT_EQ(std::filesystem::file_size(folder_ / "long"), 1'000'000u);
}

TEST_F(OutputFileTest, FullDiskIsReportedWithFileAndFix) {
    // The symbolic link gives the device a name in the test's folder. The device is written in
    // place, so the link is not renamed over.
    std::filesystem::create_symlink("/dev/full", folder_ / "bus.csv");
    OutputFile file(folder_ / "bus.csv");
    file.write("text");
    const std::string error = error_of(file);
    EXPECT_NE(error.find((folder_ / "bus.csv").string()), std::string::npos) << error;
    EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
    EXPECT_NE(error.find("free some space"), std::string::npos) << error;
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "bus.csv"));
}

TEST_F(OutputFileTest, FullDiskIsNoticedWhileWriting) {
    std::filesystem::create_symlink("/dev/full", folder_ / "trace.vcd");
    OutputFile file(folder_ / "trace.vcd");
    EXPECT_FALSE(file.failed());
    file.write(std::string(1 << 20, 'x'));
    EXPECT_TRUE(file.failed());
    EXPECT_NE(error_of(file), "");
}

TEST_F(OutputFileTest, MissingFolderIsReportedAtCommit) {
    OutputFile file(folder_ / "none" / "bus.csv");
    EXPECT_TRUE(file.failed());
    file.write("text");
    const std::string error = error_of(file);
    EXPECT_NE(error.find("create the folder"), std::string::npos) << error;
}

TEST_F(OutputFileTest, CommitReturnsSizeAndDigest) {
    const auto written = write_file(folder_ / "bus.csv", std::string(1'000'000, 'a'));
    ASSERT_TRUE(written);
    EXPECT_EQ(written->name, "bus.csv");
    EXPECT_EQ(written->bytes, 1'000'000u);
    EXPECT_EQ(written->sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    EXPECT_FALSE(write_file("/dev/null", "a device keeps nothing"));
}

TEST_F(OutputFileTest, ReservedRoomIsTakenAtOnceAndTheRestGivenBack) {
    OutputFile file(folder_ / "summary.json");
    file.reserve(100'000);
    struct stat part {};
    ASSERT_EQ(stat((folder_ / "summary.json.part").c_str(), &part), 0);
    EXPECT_GE(part.st_blocks * 512, 100'000);
    file.write("text");
    file.commit();
    EXPECT_EQ(contents(folder_ / "summary.json"), "text");
    OutputFile device("/dev/null");
    device.reserve(100'000);  // there is no room to take
    device.commit();
}

TEST_F(OutputFileTest, TextMayBeLongerThanTheReservedRoom) {
    OutputFile file(folder_ / "summary.json");
    file.reserve(10);
    file.write("longer than ten bytes");
    file.commit();
    EXPECT_EQ(contents(folder_ / "summary.json"), "longer than ten bytes");
}

TEST_F(OutputFileTest, FolderInTheWayIsReported) {
    std::filesystem::create_directory(folder_ / "bus.csv");
    OutputFile file(folder_ / "bus.csv");
    const std::string error = error_of(file);
    EXPECT_NE(error.find("in the way"), std::string::npos) << error;
}

}  // namespace
}  // namespace symsim
