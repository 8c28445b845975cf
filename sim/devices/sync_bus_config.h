// SPDX-License-Identifier: MIT
// What the synchronisation bus is built from. Only sync_bus_config() (sim/machine/build.h) can make
// one, from the keys of the config, so that no second set of defaults exists.
#pragma once

#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct Config;

struct SyncBusConfig {
    std::uint32_t processors;
    std::uint32_t locks;
    Time latency;    // estimate: 1 to 2 us
    Time occupancy;  // estimate

  private:
    SyncBusConfig() {}
    friend SyncBusConfig sync_bus_config(const Config&);
};

}  // namespace symsim
