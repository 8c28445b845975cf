// SPDX-License-Identifier: MIT
// What one execution of an instruction has come to so far. An instruction that cannot make an
// access is executed again from its start, and all of this begins anew; what must not is UnderWay.
#pragma once

#include <cstdint>

#include "sim/cpu/core/context.h"

namespace symsim {

struct Execution {
    std::uint16_t loads = 0;
    std::uint16_t stores = 0;
    std::uint16_t splits = 0;  // operands across two dwords: a bus cycle more each
    std::uint32_t next_access = 0;
    std::uint32_t extra_clocks = 0;
    Arrival arrival = Arrival::in_sequence;  // at the next one
    bool repeating = false;
    bool non_speculative = false;
    bool eventful = false;  // any of what stands behind next_access
};

}  // namespace symsim
