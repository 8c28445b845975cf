// SPDX-License-Identifier: MIT
// What a cache controller is built from. Only controller_config() (sim/machine/build.h) can make
// one, from the keys of the config, so that no second set of defaults exists.
#pragma once

#include <cstdint>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/cache/cache.h"
#include "sim/interconnect/rom_alias.h"
#include "sim/interconnect/topology.h"

namespace symsim {

struct Config;

struct ControllerConfig {
    CacheGeometry geometry{0, 0, 0};
    Time processor_period;
    Time bus_period;
    std::uint32_t processors;
    Topology topology;
    std::uint32_t hit_wait_clocks;
    std::uint32_t write_buffer_depth;
    std::uint32_t store_completion_cycles;
    std::uint32_t upgrade_completion_cycles;
    StorePolicy store_policy;
    UnlockPolicy unlock_policy;
    UpdateExchange update_exchange;
    bool sub_page_locks;
    RomAlias rom;  // set by Machine, from the guest

  private:
    ControllerConfig() {}
    friend ControllerConfig controller_config(const Config&);
};

}  // namespace symsim
