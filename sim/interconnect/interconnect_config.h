// SPDX-License-Identifier: MIT
// What every interconnect is built from. Only interconnect_config() (sim/machine/build.h) can make
// one, from the keys of the config, so that no second set of defaults exists.
#pragma once

#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct Config;

struct InterconnectConfig {
    Time clock_period;
    std::uint32_t line_bytes;
    std::uint32_t width_bytes;
    std::uint32_t arbitration_cycles;
    std::uint32_t request_cycles;
    std::uint32_t store_cycles;
    std::uint32_t unlock_cycles;
    std::uint32_t synchronise_cycles;
    std::uint32_t memory_latency_cycles;
    std::uint32_t line_unavailable_cycles;
    std::uint32_t owner_supply_cycles;
    std::uint32_t memory_controllers;
    std::uint32_t memory_interleave_bytes;
    std::uint32_t memory_read_busy_cycles;
    std::uint32_t memory_store_busy_cycles;
    std::uint32_t memory_read_pipe;
    bool lines_have_owners;
    // True in the fast engine: only ports that may have a line snoop it (SnoopFilter), and a lock
    // or unlock looks only at ports that it can concern. False in the reference engine: all ports
    // are asked. Tests compare the results of both.
    bool filter_snoops;

  private:
    InterconnectConfig() {}
    friend InterconnectConfig interconnect_config(const Config&);
};

}  // namespace symsim
