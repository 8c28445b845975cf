// SPDX-License-Identifier: MIT
// What the performance monitors are built from. Only monitor_config() (sim/machine/build.h) can
// make one, from the keys of the config, so that no second set of defaults exists.
#pragma once

#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct Config;

struct MonitorConfig {
    std::uint32_t processors;
    Time access_time;  // guess

  private:
    MonitorConfig() {}
    friend MonitorConfig monitor_config(const Config&);
};

}  // namespace symsim
