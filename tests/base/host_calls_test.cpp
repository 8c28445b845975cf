// SPDX-License-Identifier: MIT
// Calls of the host under signals that interrupt them.
#include "sim/base/host_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "sim/base/standard_streams.h"
#include "tests/support/interval_signals.h"

namespace symsim::test {
namespace {

constexpr useconds_t kLong = 50'000;  // many signals come meanwhile
constexpr suseconds_t kPeriod = 1'000;

template <class Work>
pid_t forked(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(7);
    }
    return child;
}

TEST(HostCalls, AProcessIsAwaitedThroughSignals) {
    const pid_t child = forked([] { usleep(kLong); });
    const IntervalSignals signals(kPeriod);
    EXPECT_EQ(exit_code_of(child), 7);
    EXPECT_GT(signals.seen(), 1);
}

TEST(HostCalls, AKilledProcessGivesItsSignal) {
    const pid_t child = forked([] { std::raise(SIGKILL); });
    EXPECT_EQ(exit_code_of(child), -SIGKILL);
}

TEST(HostCalls, AnotherErrorThanAnInterruptionIsReturned) {
    EXPECT_EQ(uninterrupted([] { return ::close(-1); }), -1);
    EXPECT_EQ(errno, EBADF);
}

// Puts a pipe in place of standard input, for one test.
class StandardInput : public ::testing::Test {
  protected:
    void SetUp() override {
        before_ = dup(STDIN_FILENO);
        ASSERT_EQ(pipe(ends_.data()), 0);
        dup2(ends_[0], STDIN_FILENO);
        close(ends_[0]);
    }
    void TearDown() override {
        empty_standard_input();  // forgets what a test has left
        dup2(before_, STDIN_FILENO);
        close(before_);
        end();
    }
    void write(const std::string& text) {
        ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void end() {
        if (ends_[1] >= 0) close(ends_[1]);
        ends_[1] = -1;
    }

  private:
    int before_ = -1;
    std::array<int, 2> ends_ = {-1, -1};
};

TEST_F(StandardInput, HasLinesAndALastOneWithoutAnEnd) {
    write("one\n\nthree\nfour");
    end();
    EXPECT_EQ(read_line(), "one");
    EXPECT_EQ(read_line(), "");
    EXPECT_EQ(read_line(), "three");
    EXPECT_EQ(read_line(), "four");
    EXPECT_EQ(read_line(), std::nullopt);
}

TEST_F(StandardInput, ALineMayComeInPartsAndBeLong) {
    const std::string part(50'000, 'x');
    const pid_t child = forked([&] {
        for (const std::string& text : {part, part, part + "\nnext\n"}) {
            write(text);
            usleep(kLong / 5);
        }
    });
    end();
    const IntervalSignals signals(kPeriod);
    EXPECT_EQ(read_line(), part + part + part);
    EXPECT_EQ(read_line(), "next");
    EXPECT_EQ(read_line(), std::nullopt);
    EXPECT_GT(signals.seen(), 1);
    EXPECT_EQ(exit_code_of(child), 7);
}

TEST_F(StandardInput, AForkedProcessLeavesItsParentsInput) {
    write("one\ntwo\n");
    EXPECT_EQ(read_line(), "one");
    const pid_t child = forked([&] {
        empty_standard_input();
        if (read_line()) _exit(1);
    });
    EXPECT_EQ(exit_code_of(child), 7);
    end();
    EXPECT_EQ(read_line(), "two");
    EXPECT_EQ(read_line(), std::nullopt);
}

}  // namespace
}  // namespace symsim::test
