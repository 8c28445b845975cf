// SPDX-License-Identifier: MIT
// Write-through with invalidation, always or on change only, and with allocation by stores: which
// events are met in which states.
//
// A processor waits for its fill, so it asks for nothing while a fill is wanted, coming or here,
// and none of its own stores is left behind one. Only a locked read asks for a line that is valid,
// and from its grant on nobody else gets at that line: valid+changed cannot be. A fill that is
// coming or here was granted before another's lock of its line, and replies come in the order of
// requests: it is taken before that other's locked store is made. A store does not bring its line
// in, or waits for the fill that does, so a line is evicted by a fill alone, never while one is
// under way. Where stores that change nothing spare other copies, or those that miss allocate, the
// states that can be met are the same.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:         load store fetch lload lstore ostore ounlock
                sfetch sread sstore slread slstore
absent+wanted:  granted ostore ounlock sfetch sread sstore slread slstore
absent+coming:  replied sfetch sread sstore slread
absent+here:    taken sfetch sread sstore slread
absent+changed: replied taken sfetch sread sstore slread
valid:          load store fetch lload lstore evicted ostore ounlock
                sfetch sread sstore slread slstore
valid+wanted:   granted ostore ounlock sfetch sread sstore slread slstore
valid+coming:   replied
valid+here:     taken
)";

// A processor that stalls for its stores wants nothing while one of them waits for the bus.
const std::string kLinesStalling = R"(
absent+wanted: -ostore
valid+wanted:  -ostore
)";

// A locked load waits for the stores before it, so that locked stores and the unlock find the
// buffer empty; and the bus serves each port in its order, so that a fill does too.
const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload grant sover
full:   whole part none fover fnone store lload grant sover
)";

// The store under way is the only one, and the processor asks for nothing until it is complete.
const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant sover
full:   grant sover
)";

// Under its own lock a port makes the locked stores and the unlock, which come in its order before
// anything else.
const std::string kLocks = R"(
free: fetch read store lread
own:  lstore unlock
)";

Declared declared(StorePolicy policy) {
    const bool stalls = policy == StorePolicy::stall;
    return {stalls ? kLines + kLinesStalling : kLines, stalls ? kBufferStalling : kBuffer, kLocks};
}

}  // namespace

ProtocolCase write_through_case() {
    return {"WriteThrough", ProtocolKind::write_through, declared};
}

ProtocolCase write_through_allocate_case() {
    return {"Allocate", ProtocolKind::write_through_allocate, declared};
}

ProtocolCase write_through_on_change_case() {
    return {"OnChange", ProtocolKind::write_through_on_change, declared};
}

}  // namespace symsim::test
