// SPDX-License-Identifier: MIT
// Where the state that translated code reads and writes is in the host's memory. The code uses it
// in the way the functions of the classes do that have it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class CacheController;
class Processor;

// Distances in bytes from a Processor.
struct ProcessorLayout {
    std::int32_t regs, result, carries;                       // Registers, Flags
    std::int32_t fetch_line, under_way;                       // Context
    std::int32_t instructions, branches;                      // Context
    std::int32_t window_begin, window_physical;               // CodeWindow
    std::int32_t fast_stop, entry;                            // CoreState
    std::int32_t loop_jumps, loop_from, loop_eip, loop_regs;  // LoopWatch
    std::int32_t trace;                                       // BranchTrace
};
// Distances in bytes from a CacheController.
struct CacheLayout {
    std::int32_t port_free_from;              // StorePort
    std::int32_t lines;                       // Cache: pointer to its lines
    std::int32_t uses_next, uses_end, since;  // UseLog
};

class HostLayout {
  public:
    explicit HostLayout(Processor& cpu);

    ProcessorLayout processor;
    CacheLayout cache;
    // The same for all processors.
    Time clock_period;
    Time hit_wait;
    const std::uint8_t* memory;
    std::uint32_t ways;
    Address line_mask, set_mask;
    std::uint64_t lines_per_byte;  // of the set, as a fixed-point number with `fraction` bits
    unsigned fraction;
};

}  // namespace symsim
