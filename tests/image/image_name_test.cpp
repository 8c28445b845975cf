// SPDX-License-Identifier: MIT
#include "sim/image/image_name.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/user_error.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;
using test::user_error;

TEST(ImageName, ReplacesNamesInBracesByArguments) {
    const GuestArguments args = {{"lock", "backoff"}, {"size", "3"}};
    EXPECT_EQ(expand_image_name("counter", args), "counter");
    EXPECT_EQ(expand_image_name("counter-{lock}", args), "counter-backoff");
    EXPECT_EQ(expand_image_name("{lock}{size}/x", args), "backoff3/x");
    EXPECT_EQ(expand_image_name("", args), "");
}

TEST(ImageName, DoesNotExpandTwice) {
    EXPECT_EQ(expand_image_name("{a}", {{"a", "{b}"}, {"b", "x"}}), "{b}");
}

TEST(ImageName, SaysWhichArgumentIsMissing) {
    EXPECT_SAYS(user_error([] { expand_image_name("counter-{lock}", {}); }), "guest.args.lock");
    for (const char* name : {"a{lock", "a}", "a{}b}"})
        EXPECT_SAYS(user_error([&] {
                        expand_image_name(name, {{"", "x"}, {"lock", "x"}});
                    }),
                    "brace");
}

class FindImage : public testing::Test {
  protected:
    FindImage() : root_(fs::temp_directory_path() / fmt::format("symsim-find-{}", getpid())) {
        fs::create_directories(root_ / "one" / "folder");
        fs::create_directories(root_ / "guest");
    }
    ~FindImage() override { fs::remove_all(root_); }

    fs::path make(const std::string& name) {
        std::ofstream(root_ / name) << "x";
        return root_ / name;
    }
    fs::path find(const std::string& name) const { return find_image(name, root_, root_ / "one"); }

    fs::path root_;
};

TEST_F(FindImage, PrefersTheEarlierFolder) {
    const fs::path second = make("guest/guest.elf");
    EXPECT_EQ(find("guest.elf"), second);
    const fs::path first = make("one/guest.elf");
    EXPECT_EQ(find("guest.elf"), first);
}

TEST_F(FindImage, TriesTheNameAsWrittenThenWithElf) {
    const fs::path with = make("one/guest.elf");
    EXPECT_EQ(find("guest"), with);
    const fs::path without = make("one/guest");
    EXPECT_EQ(find("guest"), without) << "the name as written comes first";
}

TEST_F(FindImage, SkipsAFolderOfThatName) {
    const fs::path file = make("guest/folder.elf");
    EXPECT_EQ(find("folder"), file);
}

TEST_F(FindImage, TakesAnAbsolutePath) {
    const fs::path file = make("guest.elf");
    EXPECT_EQ(find(file.string()), file);
}

TEST_F(FindImage, SaysWhereItLooked) {
    const std::string error = user_error([&] { find("counter"); });
    EXPECT_SAYS(error, "guest.image = \"counter\"");
    EXPECT_SAYS(error, (root_ / "one" / "counter.elf").string());
    EXPECT_SAYS(error, (root_ / "guest" / "counter").string());
    EXPECT_SAYS(user_error([&] { find(""); }), "guest.image is not set");
}

TEST_F(FindImage, SaysHowToBuildAGuestOfTheTree) {
    const std::string command = "ninja -C " + root_.string() + " guest-counter-mine builds it";
    const auto said = [&](const char* name) { return user_error([&] { find(name); }); };
    EXPECT_EQ(said("counter-mine").find("ninja"), std::string::npos) << "no build folder";
    make("build.ninja");
    EXPECT_SAYS(said("counter-mine"), command);
    EXPECT_EQ(said("guests/counter-mine").find("ninja"), std::string::npos) << "a path";
}

}  // namespace
}  // namespace symsim
