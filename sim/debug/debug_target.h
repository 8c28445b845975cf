// SPDX-License-Identifier: MIT
// The parts of a machine that a debugger works on.
#pragma once

#include <functional>
#include <vector>

#include "sim/base/time.h"
#include "sim/bus/memory.h"
#include "sim/bus/write_watch.h"
#include "sim/cache/controller.h"
#include "sim/cpu/processor.h"

namespace symsim {

struct DebugTarget {
    std::vector<Processor*> processors;
    std::vector<CacheController*> caches;
    Memory* memory = nullptr;
    WriteWatch* code = nullptr;
    std::function<Time()> now;
};

}  // namespace symsim
