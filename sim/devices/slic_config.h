// SPDX-License-Identifier: MIT
// What the interrupt controllers are built from. Only slic_config() (sim/machine/build.h) can make
// one, from the keys of the config, so that no second set of defaults exists.
#pragma once

#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct Config;

struct SlicConfig {
    std::uint32_t processors;
    Time bus_period;    // the SLIC bus is clocked with the system bus
    Time message_time;  // estimate: 3 to 5 us
    Time mask_time;     // 500 ns (Sequent's mutex.s, Mach 3.0, directory sqt)

  private:
    SlicConfig() {}
    friend SlicConfig slic_config(const Config&);
};

}  // namespace symsim
