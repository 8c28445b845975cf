// SPDX-License-Identifier: MIT
// The states and events whose coverage the random test counts.
#pragma once

#include "sim/cache/cache.h"
#include "tests/coherence/coverage.h"

namespace symsim::test {

// The state of a line for a port is the line's state in the cache, and the state of the port's own
// fill of the line:
//   wanted   the processor waits for it, and the bus has not granted it
//   coming   granted
//   here     the reply has come, and the processor has not taken it
//   changed  coming or here, but invalidated by another port: the line will not be installed
enum class FillOf : unsigned { none, wanted, coming, here, changed };
constexpr unsigned line_state(LineState line, FillOf fill) {
    return static_cast<unsigned>(line) * 5 + static_cast<unsigned>(fill);
}

enum class LineEvent : unsigned {
    // The own processor requests an access for the first time.
    load,
    store,
    fetch,
    locked_load,
    locked_store,
    // The own fill, and the line that it evicts.
    granted,
    replied,
    taken,
    evicted,
    // Own stores and locks without the bus: a store at once, a store when its turn on the bus has
    // come, and a lock of the line.
    stored_here,
    stored_at_turn,
    held,
    // Own transactions of stores and unlocks, and write-backs. own_arrival is the reply to a
    // read-exclusive.
    own_store,
    own_read_exclusive,
    own_arrival,
    own_upgrade,
    own_unlock,
    own_write_back,
    // Transactions of other ports.
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
    load_whole,  // one pending store has all its bytes
    load_part,
    load_none,
    fetch_over,  // a pending store is to its line
    fetch_none,
    store,
    locked_load,
    locked_store,
    unlock,
    fill,          // the own fill is granted
    grant,         // the oldest store is granted
    turn,          // the oldest store's turn has come, and it needs no transaction
    arrival,       // the line that the oldest store waits for arrives
    foreign_over,  // another port stores to bytes that are pending here
};

enum class LockState : unsigned { free, own };

struct Reached {
    Coverage lines{
        "line",
        {"absent",    "absent+wanted",    "absent+coming",    "absent+here",    "absent+changed",
         "valid",     "valid+wanted",     "valid+coming",     "valid+here",     "valid+changed",
         "exclusive", "exclusive+wanted", "exclusive+coming", "exclusive+here", "exclusive+changed",
         "modified",  "modified+wanted",  "modified+coming",  "modified+here",  "modified+changed",
         "owned",     "owned+wanted",     "owned+coming",     "owned+here",     "owned+changed"},
        {"load",   "store", "fetch", "lload",  "lstore", "granted", "replied", "taken",   "evicted",
         "here",   "turn",  "held",  "ostore", "orown",  "oarrive", "oinval",  "ounlock", "ocback",
         "sfetch", "sread", "srown", "sinval", "sstore", "slread",  "slstore"}};
    Coverage buffer{"buffer",
                    {"empty", "partly", "full"},
                    {"whole", "part", "none", "fover", "fnone", "store", "lload", "lstore",
                     "unlock", "fill", "grant", "turn", "arrive", "sover"}};
    // Transactions granted for a line that is not locked, or locked by the same port.
    Coverage locks{
        "lock",
        {"free", "own"},
        {"fetch", "read", "rown", "inval", "store", "lread", "lstore", "unlock", "cback"}};
};

}  // namespace symsim::test
