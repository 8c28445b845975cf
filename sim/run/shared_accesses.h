// SPDX-License-Identifier: MIT
// Which events of a run matter to the order in which processors access shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// An event of a run under a schedule: an access to memory, or a probe point.
struct LoggedEvent {
    enum Kind : std::uint32_t {
        load,
        store,
        locked_load,
        locked_store,
        probe = 256,  // plus the number of its ProbeKind
    };
    static constexpr Time kNotDone = -1;

    Time at = 0;  // when the access was made; of a store: issued
    ProcessorId processor = 0;
    std::uint32_t kind = load;
    Address address = 0;  // 0: a probe point
    unsigned size = 0;
    std::uint32_t value = 0;   // read or written; of a probe point: its operand
    std::uint64_t access = 0;  // its number; of a probe point: that of the last access
    Time done = 0;             // when memory and the other processors see a store
    Offset eip = 0;
    bool silent = false;  // load or store of an exchange that writes what it has read

    bool is_probe() const { return kind >= probe; }
    bool writes() const { return kind == store || kind == locked_store; }
    // When it has its effect on the order of accesses.
    Time effect() const { return writes() ? (done == kNotDone ? kNever : done) : at; }
};

// Keeps probe points, and accesses to lines of `line_bytes` that several processors have accessed,
// one of them with a store. Leaves out what repeats in a spin loop: a load, or an exchange that
// writes what it has read, of the same instruction, address and value as the processor's previous
// one there, if nobody has changed the bytes in between and the processor itself has neither stored
// nor passed a probe point. Returns the events by time; at one time probe points come first.
std::vector<LoggedEvent> shared_accesses(std::vector<LoggedEvent> events, unsigned line_bytes);

}  // namespace symsim
