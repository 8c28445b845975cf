// SPDX-License-Identifier: MIT
// An event of a run under a schedule: an access to memory, or a probe point.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

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

}  // namespace symsim
