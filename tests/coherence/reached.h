// SPDX-License-Identifier: MIT
// The states and events that the tester counts.
#pragma once

#include "tests/coherence/coverage.h"

namespace symsim::test {

// Whether a line is in a cache, and where the port's own fill of it is: wanted (the processor
// waits for it, the bus has not granted it), coming (granted), here (the reply has come, the
// processor has not taken it), changed (coming or here, and another has stored to the line).
enum class LineIn : unsigned { absent, valid };
enum class FillOf : unsigned { none, wanted, coming, here, changed };
constexpr unsigned line_state(LineIn line, FillOf fill) {
    return static_cast<unsigned>(line) * 5 + static_cast<unsigned>(fill);
}

enum class LineEvent : unsigned {
    // The own processor asks, for the first time.
    load,
    store,
    fetch,
    locked_load,
    locked_store,
    // The own fill, and what it drives out.
    granted,
    replied,
    taken,
    evicted,
    // The own stores and unlocks on the bus.
    own_store,
    own_unlock,
    // Others on the bus.
    snooped_fetch,
    snooped_read,
    snooped_store,
    snooped_locked_read,
    snooped_locked_store,
};

enum class BufferState : unsigned { empty, partly, full };
enum class BufferEvent : unsigned {
    load_whole,  // all its bytes are in one pending store
    load_part,
    load_none,
    fetch_over,  // its line is being stored to
    fetch_none,
    store,
    locked_load,
    locked_store,
    unlock,
    fill,          // the own fill is granted
    grant,         // the oldest store is granted
    foreign_over,  // another stores to bytes that are pending here
};

enum class LockState : unsigned { free, own };

struct Reached {
    Coverage lines{
        "line",
        {"absent", "absent+wanted", "absent+coming", "absent+here", "absent+changed", "valid",
         "valid+wanted", "valid+coming", "valid+here", "valid+changed"},
        {"load", "store", "fetch", "lload", "lstore", "granted", "replied", "taken", "evicted",
         "ostore", "ounlock", "sfetch", "sread", "sstore", "slread", "slstore"}};
    Coverage buffer{"buffer",
                    {"empty", "partly", "full"},
                    {"whole", "part", "none", "fover", "fnone", "store", "lload", "lstore",
                     "unlock", "fill", "grant", "sover"}};
    // What is granted for a line whose address is free, or locked by the same port.
    Coverage locks{
        "lock",
        {"free", "own"},
        {"fetch", "read", "rown", "inval", "store", "lread", "lstore", "unlock", "cback"}};
};

}  // namespace symsim::test
