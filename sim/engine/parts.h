// SPDX-License-Identifier: MIT
// The parts of the model, as both engines drive them: plain C++ objects that know nothing of the
// SystemC kernel. The machine owns them.
#pragma once

#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/device.h"
#include "sim/interconnect/interconnect.h"

namespace symsim {

struct Parts {
    Interconnect* interconnect = nullptr;
    std::vector<CacheController*> caches;
    std::vector<Processor*> processors;
    DeviceSignals* signals = nullptr;
};

}  // namespace symsim
