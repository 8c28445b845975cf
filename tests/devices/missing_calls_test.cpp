// SPDX-License-Identifier: MIT
// The device that counts and names the system calls that the kernel for Linux programs lacks.
#include "sim/devices/missing_calls.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace symsim::test {
namespace {

class TheDevice : public ::testing::Test {
  protected:
    TheDevice() {
        host_.outlets.console = [this](char c) { console_ += c; };
        host_.outlets.name_of = [](Address a) { return fmt::format("function+{:#x}", a); };
        device_.emplace(Nothing{}, host_);
    }
    bool call(std::uint32_t number, Address caller, unsigned size = 4) {
        return device_->write({0, MissingCalls::kBase + 4 * number, size, 0}, caller).answered;
    }

    DeviceHost host_;
    std::string console_;
    std::optional<MissingCalls> device_;
};

TEST_F(TheDevice, NamesEachCallOnceOnTheConsole) {
    EXPECT_TRUE(call(291, 0x12));
    EXPECT_TRUE(call(291, 0x34));
    EXPECT_TRUE(call(223, 0x56));
    EXPECT_EQ(console_,
              "linux: system call 291 inotify_init is missing (ENOSYS), called by function+0x12\n"
              "linux: system call 223 is missing (ENOSYS), called by function+0x56\n");
}

TEST_F(TheDevice, CountsTheCalls) {
    EXPECT_TRUE(device_->report().results.empty()) << "a run without them has no such report";
    call(291, 0x12);
    call(1023, 0x34);
    call(291, 0x56);
    const DeviceReport report = device_->report();
    EXPECT_EQ(report.device, "missing_calls");
    EXPECT_EQ(report.results.at(0).value.text(), "3");
    EXPECT_EQ(report.results.at(1).value.text(), "\"291 inotify_init: 2, 1023: 1\"");
    EXPECT_EQ(report.results.at(2).items.size(), 2u);
    EXPECT_EQ(report.results.at(2).items.at(0).at(3).value.text(), "\"function+0x12\"");
}

TEST_F(TheDevice, TakesDwordsOnly) {
    EXPECT_FALSE(call(1, 0, 1));
    EXPECT_FALSE(device_->read({0, MissingCalls::kBase, 4, 0}).answered);
    EXPECT_EQ(console_, "");
}

}  // namespace
}  // namespace symsim::test
