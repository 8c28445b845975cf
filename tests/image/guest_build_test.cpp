// SPDX-License-Identifier: MIT
// A run builds the guest of the tree that it names, if nobody has built it yet.
#include "sim/image/guest_build.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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
