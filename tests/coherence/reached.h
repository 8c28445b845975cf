// SPDX-License-Identifier: MIT
// The states and events that the tester counts.
#pragma once

#include "sim/cache/cache.h"
#include "tests/coherence/coverage.h"

namespace symsim::test {

// What a port's cache has of a line, and where the port's own fill of it is: wanted (the processor
// waits for it, the bus has not granted it), coming (granted), here (the reply has come, the
// processor has not taken it), changed (coming or here, and it will not be kept, for what another
// has done to it).
enum class FillOf : unsigned { none, wanted, coming, here, changed };
constexpr unsigned line_state(LineState line, FillOf fill) {
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
    // The own stores and locks without the bus: at once, when the store's turn has come, and as
    // the line is locked.
    stored_here,
    stored_at_turn,
    held,
    // The own ones on the bus; the arrival is that of a line that is read to own it.
    own_store,
    own_read_exclusive,
    own_arrival,
    own_upgrade,
    own_unlock,
    own_write_back,
    // Others on the bus.
    snooped_fetch,
    snooped_read,
    snooped_read_exclusive,
    snooped_upgrade,
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
    turn,          // the oldest store's turn has come, and it needs no grant
    arrival,       // the line that the oldest store waits for comes
    foreign_over,  // another stores to bytes that are pending here
};

enum class LockState : unsigned { free, own };

struct Reached {
    Coverage lines{
        "line",
        {"absent",    "absent+wanted",    "absent+coming",    "absent+here",    "absent+changed",
         "valid",     "valid+wanted",     "valid+coming",     "valid+here",     "valid+changed",
         "exclusive", "exclusive+wanted", "exclusive+coming", "exclusive+here", "exclusive+changed",
         "modified",  "modified+wanted",  "modified+coming",  "modified+here",  "modified+changed"},
        {"load",   "store", "fetch", "lload",  "lstore", "granted", "replied", "taken",   "evicted",
         "here",   "turn",  "held",  "ostore", "orown",  "oarrive", "oinval",  "ounlock", "ocback",
         "sfetch", "sread", "srown", "sinval", "sstore", "slread",  "slstore"}};
    Coverage buffer{"buffer",
                    {"empty", "partly", "full"},
                    {"whole", "part", "none", "fover", "fnone", "store", "lload", "lstore",
                     "unlock", "fill", "grant", "turn", "arrive", "sover"}};
    // What is granted for a line whose address is free, or locked by the same port.
    Coverage locks{
        "lock",
        {"free", "own"},
        {"fetch", "read", "rown", "inval", "store", "lread", "lstore", "unlock", "cback"}};
};

}  // namespace symsim::test
