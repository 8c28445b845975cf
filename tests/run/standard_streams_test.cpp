// SPDX-License-Identifier: MIT
// Standard output and standard error that cannot be written.
#include <array>

#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

class StandardStreamsTest : public FailureTest {
  protected:
    // Each way to print to standard output, and its exit code.
    std::vector<std::pair<std::vector<std::string>, int>> ways() const {
        const std::string file = config(kWork), folder = out().string();
        return {{{"--help"}, 0},
                {{"--version"}, 0},
                {{"--list-keys"}, 0},
                {{"--describe"}, 0},
                {{file, "--print-config"}, 0},
                {{file, "--check"}, 0},
                {{file, "--json", "--out", folder}, 0},
                {{file, "--out", folder}, 0},
                {{file, "--set", "run.limit_ms=0.001", "--out", folder}, 5}};
    }
    static std::function<void()> onto(const char* device, int stream) {
        return [=] { dup2(open(device, O_WRONLY), stream); };
    }
};

TEST_F(StandardStreamsTest, AFullStandardOutputIsReported) {
    for (const auto& [arguments, exit] : ways()) {
        Child child(arguments, errors(), onto("/dev/full", STDOUT_FILENO));
        EXPECT_EQ(child.wait(), 6) << arguments.back();
        const std::string said = read_text(errors());
        EXPECT_SAYS(said, "symsim: cannot write standard output: No space left on device;");
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
        if (arguments.size() > 2) {
            EXPECT_TRUE(fs::exists(out() / "manifest.json")) << "the results are saved";
        }
        fs::remove_all(out());
    }
}

TEST_F(StandardStreamsTest, AStandardErrorThatIsFullDoesNotHideTheExitCode) {
    Child wrong({"none.toml"}, errors(), onto("/dev/full", STDERR_FILENO));
    EXPECT_EQ(wrong.wait(), 2);
    const std::vector<std::string> late = {SOURCE_FOLDER "/configs/quickstart.toml",
                                           "--quiet",
                                           "--set",
                                           "guest.args.wrong=1",
                                           "--out",
                                           out().string()};
    Child lost(late, errors(), onto("/dev/full", STDERR_FILENO));
    EXPECT_EQ(lost.wait(), 6) << "the message is lost that the guest asked for no such argument";
    EXPECT_TRUE(fs::exists(out() / "manifest.json"));
}

// `symsim ... | head`
TEST_F(StandardStreamsTest, AReaderThatHasReadEnoughIsNoFailure) {
    for (const auto& [arguments, exit] : ways()) {
        std::array<int, 2> ends;
        ASSERT_EQ(pipe(ends.data()), 0);
        Child child(arguments, errors(), [&] {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            close(ends[1]);
        });
        close(ends[0]);
        close(ends[1]);
        EXPECT_EQ(child.wait(), exit) << arguments.back();
        EXPECT_EQ(read_text(errors()), "");
        if (arguments.size() > 2) {
            EXPECT_TRUE(fs::exists(out() / "manifest.json"));
        }
        fs::remove_all(out());
    }
}

// Otherwise the first file that the run opens would be standard output.
TEST_F(StandardStreamsTest, ClosedStreamsDoNotEndInAResultFile) {
    const auto close_all = [] {
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
    };
    Child child({config(kWork), "--out", out().string()}, errors(), close_all);
    EXPECT_EQ(child.wait(), 6) << "the summary is lost";
    ASSERT_EQ(run(config(kWork), {"--quiet"}, "other").exit, 0);
    EXPECT_EQ(files(), files("other"));
    Child quiet({config(kWork), "--quiet", "--out", out().string()}, errors(), close_all);
    EXPECT_EQ(quiet.wait(), 0);
}

}  // namespace
}  // namespace symsim::test
