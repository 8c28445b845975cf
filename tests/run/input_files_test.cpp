// SPDX-License-Identifier: MIT
// Tests what the program does with inputs that are no files, or far too large: it refuses each at
// once, in a sentence, with exit code 2.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/run/failure_case.h"
#include "tests/support/elf_writer.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

class InputFiles : public ::testing::Test {
  protected:
    InputFiles() {
        ElfWriter().entry(kCode).code(".text", kCode, {0xf4}).write(scratch.path() / "guest.elf");
        config = scratch.write("config.toml", "guest.image = \"guest.elf\"\n").string();
        EXPECT_EQ(mkfifo((scratch.path() / "fifo").c_str(), 0600), 0);
        std::filesystem::create_directory(scratch.path() / "folder");
        // Sparse files: they have a size and take no room.
        scratch.write("large", "");
        std::filesystem::resize_file(scratch.path() / "large", std::uint64_t{6} << 30);
    }
    std::string in_scratch(const char* name) const { return (scratch.path() / name).string(); }

    void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
        std::vector<std::string> all = {"--out", in_scratch("out")};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = run_symsim(all);
        EXPECT_EQ(outcome.exit, 2) << arguments.back() << ": " << outcome.err;
        EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.rfind("symsim: ", 0), 0u) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(scratch.path() / "out"));
    }
    // Gives each file that is none to the option or key.
    template <class Arguments>
    void expect_all_refused(Arguments arguments) {
        expect_refused(arguments(in_scratch("folder")), "is a folder and not a file");
        expect_refused(arguments(in_scratch("fifo")), "is a FIFO and not a file");
        expect_refused(arguments("/dev/zero"), "is a device and not a file");
        expect_refused(arguments("/proc/self/mem"), "cannot be read: Input/output error");
    }

    ScratchFolder scratch;
    std::string config;
};

TEST_F(InputFiles, AConfigIsAFile) {
    const auto name = [](const std::string& file) { return std::vector<std::string>{file}; };
    expect_all_refused(name);
    expect_refused(name(in_scratch("large")), "at most 1048576 are read");
}

TEST_F(InputFiles, ARomIsAFile) {
    const auto rom = [&](const std::string& file) {
        return std::vector<std::string>{config, "--set", "guest.image=", "--set",
                                        fmt::format("guest.rom=\"{}\"", file)};
    };
    expect_all_refused(rom);
    expect_refused(rom(in_scratch("large")), "at most 16777216 are read");
}

TEST_F(InputFiles, StandardInputIsAFile) {
    const auto input = [&](const std::string& file) {
        return std::vector<std::string>{config, "--set", fmt::format("guest.stdin=\"{}\"", file)};
    };
    expect_all_refused(input);
    expect_refused(input(in_scratch("large")), "at most 1073741824 are read");
}

TEST_F(InputFiles, AnImageIsAFile) {
    const auto image = [&](const std::string& file) {
        return std::vector<std::string>{config, "--set", fmt::format("guest.image=\"{}\"", file)};
    };
    for (const char* file : {"folder", "fifo"})
        expect_refused(image(in_scratch(file)), fmt::format("{} (no regular file)", file));
    expect_refused(image("/dev/zero"), "/dev/zero (no regular file)");
    expect_refused(image(in_scratch("large")), "at most 268435456 are read");
}

// An input within its limit, for which the host has no memory.
TEST_F(InputFiles, AHostWithoutMemoryIsNamed) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer itself needs more address space than the limit here";
#endif
    std::filesystem::resize_file(scratch.path() / "large", std::uint64_t{1} << 30);
    rlimit all, less;
    ASSERT_EQ(getrlimit(RLIMIT_AS, &all), 0);
    less = all;
    less.rlim_cur = rlim_t{512} << 20;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
    const Outcome outcome =
        run_symsim({config, "--set", fmt::format("guest.stdin=\"{}\"", in_scratch("large"))});
    ASSERT_EQ(setrlimit(RLIMIT_AS, &all), 0);
    EXPECT_EQ(outcome.exit, 134) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("symsim: the host gives no more memory; ", 0), 0u) << outcome.err;
}

}  // namespace
}  // namespace symsim::test
