// SPDX-License-Identifier: MIT
#include "sim/run/progress.h"

#include <gtest/gtest.h>

#include <string>

namespace symsim {
namespace {

// A temporary file for the meter to print to.
class Printed {
  public:
    Printed() : file_(std::tmpfile()) {}
    ~Printed() { std::fclose(file_); }
    std::FILE* file() { return file_; }
    std::string text() {
        std::string result;
        std::rewind(file_);
        for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) {
            result += static_cast<char>(c);
        }
        return result;
    }

  private:
    std::FILE* file_;
};

TEST(Progress, ShowsTheRecentSpeed) {
    Progress p;
    p.host_s = 10;
    p.simulated = 100 * kMillisecond;
    p.window_s = 0.5;
    p.window_simulated = 10 * kMillisecond;
    p.window_instructions = 20'000'000;
    EXPECT_EQ(progress_line(p), "100.0 ms simulated in 10 s, slowdown 50.0, 40.0 MIPS");
}

TEST(Progress, ShowsTheRemainingTimeIfThereIsALimit) {
    Progress p;
    p.host_s = 10;
    p.simulated = 100 * kMillisecond;
    p.limit = 1'000 * kMillisecond;
    EXPECT_EQ(progress_line(p), "100.0 ms simulated in 10 s, at most 1 min 30 s left");
    p.limit = 100'000 * kMillisecond;
    EXPECT_EQ(progress_line(p), "100.0 ms simulated in 10 s, at most 2 h 46 min left");
    p.limit = 50 * kMillisecond;
    EXPECT_EQ(progress_line(p), "100.0 ms simulated in 10 s, at most 0 s left");
}

TEST(Progress, DoesNotDivideByZeroBeforeAnythingIsSimulated) {
    Progress p;
    p.host_s = 2;
    p.window_s = 2;
    p.limit = kMillisecond;
    EXPECT_EQ(progress_line(p), "0.0 ms simulated in 2 s, 0.0 MIPS");
}

TEST(Progress, AppearsFromTwoSecondsOnAtMostTwiceASecond) {
    Printed out;
    ProgressMeter meter(out.file(), true, 0);
    meter.update(1.9, kMillisecond, 1'000'000);
    EXPECT_EQ(out.text(), "");
    meter.update(2.0, 2 * kMillisecond, 4'000'000);
    const std::string first = "\r2.0 ms simulated in 2 s, slowdown 1000.0, 2.0 MIPS\x1b[K";
    EXPECT_EQ(out.text(), first);
    meter.update(2.4, 3 * kMillisecond, 5'000'000);
    EXPECT_EQ(out.text(), first);
    meter.update(2.5, 3 * kMillisecond, 5'000'000);
    EXPECT_EQ(out.text(), first + "\r3.0 ms simulated in 2 s, slowdown 500.0, 2.0 MIPS\x1b[K");
}

TEST(Progress, IsErasedOnce) {
    Printed out;
    ProgressMeter meter(out.file(), true, 0);
    meter.clear();
    EXPECT_EQ(out.text(), "");
    meter.update(3, kMillisecond, 1);
    const std::string shown = out.text();
    meter.clear();
    meter.clear();
    EXPECT_EQ(out.text(), shown + "\r\x1b[K");
}

TEST(Progress, ShowsNothingIfNotATerminal) {
    Printed out;
    ProgressMeter meter(out.file(), false, 0);
    meter.update(10, kMillisecond, 1);
    meter.clear();
    EXPECT_EQ(out.text(), "");
}

}  // namespace
}  // namespace symsim
