// SPDX-License-Identifier: MIT
// All of a processor that a checkpoint must save (design.md section 6).
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/flags.h"
#include "sim/cpu/registers.h"

namespace symsim {

// Of the instruction under way: what of its fetch is done, so that nothing is done twice when it
// is executed again.
enum FetchProgress : std::uint8_t {
    kFirstLine = 1,  // the line with its first byte has been entered
    kLastLine = 2,   // and that with its last
    kRefilled = 4,   // the cost of a branch here has been charged
    kProbed = 8,     // its probe points have fired
};

struct Context {
    Registers regs;
    Flags flags;
    Address eip = 0;
    // Start of the instruction under way plus the waits met in it so far.
    Time time = 0;
    std::uint64_t instructions = 0;    // completed
    Address fetch_line = ~Address{0};  // last code line entered; the prefetch queue holds it
    std::uint32_t critical_depth = 0;  // locks held, by the probe points
    std::uint8_t fetched = 0;          // FetchProgress bits
    std::uint8_t accesses = 0;         // accesses the instruction under way has made
    bool branched = false;             // came here by a taken branch
    bool releasing = false;            // the instruction under way releases a lock
    Activity activity = Activity::boot;
};

}  // namespace symsim
