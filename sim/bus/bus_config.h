// SPDX-License-Identifier: MIT
// What the bus is built from, beyond what every interconnect is. Only bus_config()
// (sim/machine/build.h) can make one.
#pragma once

#include "sim/base/options.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

struct BusConfig : InterconnectConfig {
    LockedRequest locked_request;
    LockedClass locked_class;
    Arbitration arbitration;

  private:
    explicit BusConfig(const InterconnectConfig& common) : InterconnectConfig(common) {}
    friend BusConfig bus_config(const Config&);
};

}  // namespace symsim
