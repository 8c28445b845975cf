// SPDX-License-Identifier: MIT
// Where the kernel for Linux programs (guest/linux/calls.c) says which system calls it lacks. It
// has a dword for each number, the last one for all numbers from there on:
//
//   4 * number   write 32: an address in the caller
//
// The first write of a number puts a line on the console, with the names of call and caller.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/linux_call_names.h"
#include "sim/devices/device.h"
#include "sim/devices/results.h"

namespace symsim {

struct MissingCall {
    std::uint32_t number = 0;
    std::string name;
    std::uint64_t count = 0;
    std::string caller;
};

template <class Visit>
void for_each_field(const MissingCall& call, Visit&& visit) {
    visit("number", "", call.number, "its number; 1023: that or a larger one");
    visit("name", "", call.name, "its name; empty if Linux has none of that number");
    visit("count", "count", call.count, "how often the program made it");
    visit("caller", "", call.caller, "from where the first time, as function and offset");
}

struct MissingCallsReport {
    std::vector<MissingCall> calls;

    std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const MissingCall& call : calls) sum += call.count;
        return sum;
    }
    std::string names() const {
        std::string all;
        for (const MissingCall& call : calls)
            all += fmt::format("{}{}{}{}: {}", all.empty() ? "" : ", ", call.number,
                               call.name.empty() ? "" : " ", call.name, call.count);
        return all;
    }
};

template <class Visit>
void for_each_field(const MissingCallsReport& report, Visit&& visit) {
    visit("count", "count", report.count(), "calls that returned ENOSYS");
    visit("names", "", report.names(), "number, name and count of each, in words");
    visit("calls[]", "", report.calls, "one per number, in order of the first call");
}

class MissingCalls final : public Device {
  public:
    using Report = MissingCallsReport;
    static constexpr Address kBase = 0xD000'3000;
    static constexpr DeviceText kText = {
        "missing_calls",
        {kBase, 0x1000},
        "here the kernel for Linux programs reports system calls, by dwords that can only be "
        "written",
        "system calls that the kernel for Linux programs does not have; absent if a program made "
        "none of them",
        "missing system calls (ENOSYS)  {names}"};

    MissingCalls(const Nothing&, const DeviceHost& host)
        : Device(kText.place), outlets_(host.outlets) {}

    DeviceReply read(const DeviceAccess&) override { return {}; }
    DeviceReply write(const DeviceAccess& access, std::uint32_t caller) override {
        if (!is_dword(access)) return {};
        called((access.address - kBase) / 4, caller);
        return {true, 0, 0};
    }
    DeviceReport report() const override {
        if (report_.calls.empty()) return {};
        return {kText.name, results_of(report_)};
    }

  private:
    void called(std::uint32_t number, Address caller) {
        for (MissingCall& call : report_.calls)
            if (call.number == number) {
                ++call.count;
                return;
            }
        const std::string_view name =
            number < kLinuxCallNames.size() ? kLinuxCallNames[number] : std::string_view();
        report_.calls.push_back({number, std::string(name), 1, outlets_.name_of(caller)});
        const std::string line =
            fmt::format("linux: system call {}{}{} is missing (ENOSYS), called by {}\n", number,
                        name.empty() ? "" : " ", name, report_.calls.back().caller);
        for (const char c : line) outlets_.console(c);
    }

    Outlets outlets_;
    MissingCallsReport report_;
};

}  // namespace symsim
