// SPDX-License-Identifier: MIT
// Counts the writes to its register. A read returns the count.
#pragma once

#include "sim/base/fields.h"
#include "sim/devices/device.h"
#include "sim/devices/results.h"

namespace symsim {

struct TallyConfig {
    bool present = false;
    std::uint32_t step = 1;
};

template <class Visit>
void for_each_field(TallyConfig& tally, Visit&& visit) {
    visit("present", "", tally.present, fits::Flag{}, "Whether the machine has a tally.");
    visit("step", "", tally.step, fits::Integers{1, 1000}, "What a write adds to the count.");
}

struct TallyReport {
    std::uint64_t writes = 0;
};

template <class Visit>
void for_each_field(const TallyReport& report, Visit&& visit) {
    visit("writes", "count", report.writes, "writes of its register");
}

class Tally final : public Device {
  public:
    using Keys = TallyConfig;
    using Report = TallyReport;
    static constexpr DeviceText kText = {
        "tally",
        {0xD000'4000, 4, DeviceReach::bus},
        "here is the tally of machines with tally.present; its register is a dword",
        "the tally; absent if the machine has none (tally.present)",
        "tally  {writes} writes"};

    Tally(const TallyConfig& config, const DeviceHost&) : Device(kText.place), step_(config.step) {}

    DeviceReply read(const DeviceAccess& access) override {
        return {is_dword(access), count_, 100 * kNanosecond};
    }
    DeviceReply write(const DeviceAccess& access, std::uint32_t) override {
        if (!is_dword(access)) return {};
        count_ += step_;
        ++report_.writes;
        return {true};
    }
    DeviceReport report() const override { return {kText.name, results_of(report_)}; }

  private:
    std::uint32_t step_;
    std::uint32_t count_ = 0;
    TallyReport report_;
};

}  // namespace symsim
