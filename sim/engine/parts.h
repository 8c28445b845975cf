// SPDX-License-Identifier: MIT
// The parts of the machine that rules are about, as both engines drive them: plain objects that
// know nothing of a kernel. Their owners are the modules of sim/machine.
#pragma once

#include <vector>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/slic.h"

namespace symsim {

struct Parts {
    Bus* bus = nullptr;
    std::vector<CacheController*> caches;
    std::vector<Processor*> processors;
    Slic* slic = nullptr;
};

}  // namespace symsim
