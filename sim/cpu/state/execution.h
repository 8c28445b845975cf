// SPDX-License-Identifier: MIT
// The progress of one execution of an instruction. If an access cannot be made now, the instruction
// is executed again from its start, and its Execution is reset. Progress that must survive is in
// UnderWay (context.h).
#pragma once

#include <cstdint>

#include "sim/cpu/state/context.h"

namespace symsim {

struct Execution {
    std::uint16_t loads = 0;
    std::uint16_t stores = 0;
    std::uint16_t splits = 0;  // operands across two dwords: one more bus cycle each
    // The number of the next access; lower than UnderWay::accesses while accesses are repeated.
    std::uint32_t next_access = 0;
    std::uint32_t extra_clocks = 0;
    Arrival arrival = Arrival::in_sequence;  // at the next instruction
    bool at_port = false;  // the access under way is one of in, out, ins, outs to a port
    bool repeating = false;
    bool non_speculative = false;
    bool eventful = false;  // arrival, extra_clocks, repeating or non_speculative is set
};

}  // namespace symsim
