// SPDX-License-Identifier: MIT
// The parts of a machine that a GdbSession reads and changes.
#pragma once

#include <functional>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/memory.h"

namespace symsim {

struct DebugTarget {
    std::vector<Processor*> processors;
    std::vector<CacheController*> caches;
    Memory* memory = nullptr;
    CodePageWatch* code = nullptr;
    std::function<Time()> now;
    // These processors, and no others, stand still from now on (ReferenceEngine::hold).
    std::function<void(const ProcessorSet&)> hold;
};

}  // namespace symsim
