// SPDX-License-Identifier: MIT
// guest.files: which files of the host a Linux program gets, under which paths, and what is
// refused.
#include "sim/image/given_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/symsim_program.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;

class GivenFiles : public ::testing::Test {
  protected:
    // Each file as "MODE PATH BYTES;".
    static std::string read(const std::string& words) {
        std::string all;
        for (const GivenFile& file : read_given_files(words))
            all += fmt::format("{:o} {} {};", file.mode, file.path,
                               std::string(file.bytes.begin(), file.bytes.end()));
        return all;
    }
    std::string here(const std::string& name) const { return (scratch_.path() / name).string(); }

    ScratchFolder scratch_;
};

TEST_F(GivenFiles, APathInsideDoesNotLeadOutside) {
    EXPECT_EQ(path_inside("a/b"), "/a/b");
    EXPECT_EQ(path_inside("./a//b/"), "/a/b");
    EXPECT_EQ(path_inside("../../a"), "/a");
    EXPECT_EQ(path_inside("/a/../.."), "/");
}

TEST_F(GivenFiles, AWordHasThePathInsideAndTheOneHere) {
    const std::vector<GivenName> names = given_names("a=x/y 'b c' d/../e=f=g", "");
    ASSERT_EQ(names.size(), 3u);
    EXPECT_EQ(names[0].inside, "/a");
    EXPECT_EQ(names[0].host, "x/y");
    EXPECT_EQ(names[1].inside, "/b c");
    EXPECT_EQ(names[1].host, "b c");
    EXPECT_EQ(names[2].inside, "/e");
    EXPECT_EQ(names[2].host, "f=g");
    EXPECT_SAYS(user_error([] { given_names("a=", "KEY"); }), "KEY: a= names no file");
}

TEST_F(GivenFiles, AreFilesAndAllThatIsInFolders) {
    scratch_.write("file", "one");
    fs::create_directories(scratch_.path() / "folder/deep");
    scratch_.write("folder/b", "two");
    scratch_.write("folder/deep/a", "");
    fs::permissions(scratch_.path() / "folder/b", fs::perms::owner_all);
    fs::create_directory(scratch_.path() / "folder/empty");
    EXPECT_EQ(read("x=" + here("file")), "100644 /x one;");
    EXPECT_EQ(read("y=" + here("folder")),
              "40755 /y ;100755 /y/b two;40755 /y/deep ;100644 /y/deep/a ;40755 /y/empty ;");
    EXPECT_EQ(read(""), "");
}

TEST_F(GivenFiles, AreRefusedIfTheyCannotBe) {
    scratch_.write("file", "one");
    const auto why = [&](const std::string& words) {
        return user_error([&] { read_given_files(words); });
    };
    const std::string file = here("file");
    EXPECT_SAYS(why("x=" + here("none")),
                "guest.files " + here("none") + ": there is no such file");
    EXPECT_SAYS(why("x=" + file + " x=" + file), "guest.files: /x: two files have this path");
    EXPECT_SAYS(why("x=" + file + " x/y=" + file), "guest.files: /x/y: /x is a file");
    EXPECT_SAYS(why("x=/dev/null"), "is a device");
    EXPECT_SAYS(why(std::string(300, 'n') + "=" + file), "a name has more than 255 bytes");
    std::string deep;
    for (int i = 0; i < 20; ++i) deep += std::string(60, 'd') + "/";
    EXPECT_SAYS(why(deep + "=" + file), "the path has more than 1023 bytes");
}

}  // namespace
}  // namespace symsim::test
