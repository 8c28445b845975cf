// SPDX-License-Identifier: MIT
// Write-through with invalidation (always, on change only, or with allocation by stores): which
// events can occur in which states (reached.h). The three protocols have the same reachable pairs.
//
// A processor waits for its fill. So it makes no other request while a fill is wanted, coming or
// here, and none of its stores is pending after a fill. Only a locked read requests a line that is
// valid. From its grant on the line is locked, so valid+changed is impossible.
//
// A fill that is coming or here may have been granted before another port locked its line. Replies
// come in the order of requests, so the fill is taken before the other port's locked store is made.
//
// A store does not allocate, or waits for the fill of its line. So only a fill evicts a line, and
// never while a fill is under way.
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

// A processor that stalls for its stores wants nothing while a store waits for the bus.
const std::string kLinesStalling = R"(
absent+wanted: -ostore
valid+wanted:  -ostore
)";

// A locked load waits for earlier stores, so locked stores and the unlock find the buffer empty.
// The bus serves the requests of each port in order, so a fill finds it empty too.
const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload grant sover
full:   whole part none fover fnone store lload grant sover
)";

// The store under way is the only one, and the processor makes no request until it is complete.
const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant sover
full:   grant sover
)";

// While a port has a line locked, its next requests are the locked stores and the unlock, in this
// order.
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
    return {"WriteThrough", Rules::write_through, &protocols::write_through, declared};
}

ProtocolCase write_through_allocate_case() {
    return {"Allocate", Rules::write_through_allocate, &protocols::write_through_allocate,
            declared};
}

ProtocolCase write_through_on_change_case() {
    return {"OnChange", Rules::write_through_on_change, &protocols::write_through_on_change,
            declared};
}

}  // namespace symsim::test
