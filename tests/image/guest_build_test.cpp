// SPDX-License-Identifier: MIT
// A run builds the guest of the tree that it names, if it is missing or of other sources.
#include "sim/image/guest_build.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/base/sha256.h"
#include "tests/support/user_error.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;
using test::user_error;

class BuildGuest : public testing::Test {
  protected:
    BuildGuest() : build_(fs::temp_directory_path() / fmt::format("symsim-build-{}", getpid())) {
        fs::create_directories(build_ / "guest");
    }
    ~BuildGuest() override { fs::remove_all(build_); }

    // A build folder whose one guest is built by `command`.
    void rules(const std::string& command) const {
        std::ofstream(build_ / "build.ninja") << "rule image\n  command = " << command
                                              << "\nbuild guest/known.elf: image\n"
                                                 "build guest-known: phony guest/known.elf\n";
    }
    // A build folder whose one guest is a copy of source.c, with the list of its sources.
    void rules_with_sources() const {
        const std::string list = "sha256sum $$PWD/source.c > guest/known.elf.sources";
        std::ofstream(build_ / "build.ninja")
            << "rule image\n  command = cp source.c guest/known.elf && echo >> count && " << list
            << "\nbuild guest/known.elf: image source.c\n"
               "build guest-known: phony guest/known.elf\n";
    }
    // `hours` ago.
    void write_source(const std::string& text, int hours) const {
        std::ofstream(build_ / "source.c") << text;
        fs::last_write_time(build_ / "source.c",
                            fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }
    std::string image() const {
        std::ifstream in(build_ / "guest" / "known.elf");
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::uintmax_t builds() const { return fs::file_size(build_ / "count"); }
    bool built() const { return fs::exists(build_ / "guest" / "known.elf"); }

    fs::path build_;
};

TEST_F(BuildGuest, BuildsAGuestOfTheTree) {
    rules("echo x > guest/known.elf");
    EXPECT_TRUE(build_guest(build_, "known"));
    EXPECT_TRUE(built());
}

TEST_F(BuildGuest, LeavesAnImageThatIsThereAlone) {
    rules("echo x > guest/known.elf");
    std::ofstream(build_ / "guest" / "known.elf") << "mine";
    EXPECT_TRUE(build_guest(build_, "known"));
    EXPECT_EQ(fs::file_size(build_ / "guest" / "known.elf"), 4u);
}

TEST_F(BuildGuest, BuildsAgainWhatIsOfOtherSources) {
    rules_with_sources();
    write_source("one", 5);
    EXPECT_TRUE(build_guest(build_, "known"));
    write_source("two", 0);
    EXPECT_TRUE(build_guest(build_, "known"));
    EXPECT_EQ(image(), "two");
    EXPECT_EQ(builds(), 2u);
}

// Copies with cp -p or rsync -a can bring an older time stamp, which is all that ninja looks at.
TEST_F(BuildGuest, BuildsAgainWhereASourceHasAnOlderTimeStamp) {
    rules_with_sources();
    write_source("one", 5);
    EXPECT_TRUE(build_guest(build_, "known"));
    write_source("two", 7);
    EXPECT_TRUE(build_guest(build_, "known"));
    EXPECT_EQ(image(), "two");
}

TEST_F(BuildGuest, ATouchedSourceIsNoOtherSource) {
    rules_with_sources();
    write_source("one", 5);
    EXPECT_TRUE(build_guest(build_, "known"));
    write_source("one", 0);
    EXPECT_TRUE(build_guest(build_, "known"));
    EXPECT_EQ(builds(), 1u);
}

TEST_F(BuildGuest, RefusesAnOutdatedImageThatCannotBeBuiltAgain) {
    rules_with_sources();
    write_source("one", 5);
    EXPECT_TRUE(build_guest(build_, "known"));
    fs::remove(build_ / "source.c");
    EXPECT_TRUE(outdated(build_ / "guest" / "known.elf"));
    EXPECT_SAYS(user_error([&] { build_guest(build_, "known"); }), "cannot be built");
    std::ofstream(build_ / "build.ninja") << "build guest-other: phony\n";
    const std::string error = user_error([&] { build_guest(build_, "known"); });
    EXPECT_SAYS(error, "guest known: its sources have changed");
    EXPECT_SAYS(error, "--as-built");
}

TEST_F(BuildGuest, AListThatIsDamagedIsOfOtherSources) {
    const fs::path mine = build_ / "guest" / "mine.elf";
    EXPECT_FALSE(outdated(mine));
    std::ofstream(mine.string() + ".sources") << "short\n";
    EXPECT_TRUE(outdated(mine));
    write_source("one", 0);
    std::ofstream(mine.string() + ".sources")
        << sha256({'o', 'n', 'e'}) << "  " << (build_ / "source.c").string() << '\n';
    EXPECT_FALSE(outdated(mine));
}

TEST_F(BuildGuest, KnowsNoOtherNames) {
    rules("echo x > guest/known.elf");
    for (const char* name : {"unknown", "", "../guest/known", "guest/known.elf", "-h"})
        EXPECT_FALSE(build_guest(build_, name)) << name;
    EXPECT_FALSE(built());
}

TEST_F(BuildGuest, DoesNothingOutsideABuildFolder) {
    EXPECT_FALSE(build_guest(build_, "known"));
    EXPECT_FALSE(build_guest(build_ / "nowhere", "known"));
}

TEST_F(BuildGuest, QuotesTheCompiler) {
    rules("echo mine.c:3: what is this >&2 && false");
    const std::string error = user_error([&] { build_guest(build_, "known"); });
    EXPECT_SAYS(error, "guest known cannot be built");
    EXPECT_SAYS(error, "mine.c:3: what is this");
}

TEST_F(BuildGuest, RefusesABuildThatLeavesNoImage) {
    rules("true");
    EXPECT_SAYS(user_error([&] { build_guest(build_, "known"); }), "cannot be built");
}

}  // namespace
}  // namespace symsim
