// SPDX-License-Identifier: MIT
// What a processor is built from. Only processor_config() (sim/machine/build.h) can make one, from
// the keys of the config, so that no second set of defaults exists.
#pragma once

#include "sim/base/options.h"
#include "sim/base/time.h"

namespace symsim {

struct Config;

struct ProcessorConfig {
    Time clock_period;
    Isa isa;

  private:
    ProcessorConfig() {}
    friend ProcessorConfig processor_config(const Config&);
};

}  // namespace symsim
