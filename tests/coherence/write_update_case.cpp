// SPDX-License-Identifier: MIT
// Write-update: which events are met in which states.
//
// A line is exclusive or modified where no other cache has it, and then nobody else's store or lock
// is on its way: a locked read makes it shared first. Nothing is ever invalidated, so nothing that
// comes is spoilt. A store goes over the bus where the line is shared or absent, and does not bring
// it in; a locked one in a line of its own needs no bus, but its unlock may, if the lock was begun
// there. A reply that an owner supplies may come behind that of a later locked read of the same
// line, so that the locked store can be granted before the processor has taken its fill.
//
// That a line becomes the own one while the processor waits to lock it, and is then used by others
// before it is locked, is rare.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:           load store fetch lload lstore ostore ounlock ocback
                  sfetch sread sstore slread slstore
absent+wanted:    granted ostore ounlock ocback sfetch sread sstore slread slstore
absent+coming:    replied sfetch sread sstore slread
absent+here:      taken sfetch sread sstore slread slstore?
valid:            load store fetch lload lstore evicted ostore ounlock
                  sfetch sread sstore slread slstore
valid+wanted:     granted ostore ounlock sfetch sread sstore slread slstore
valid+coming:     replied
valid+here:       taken
exclusive:        load store fetch lload lstore evicted here turn ounlock
                  sfetch sread sstore slread
exclusive+wanted: turn held ounlock? sfetch? sread? sstore? slread?
modified:         load store fetch lload lstore evicted here turn ounlock
                  sfetch sread sstore slread
modified+wanted:  turn? held ounlock? sfetch? sread? sstore? slread?
)";

// Only a buffer holds a store back so long that its line has become the own one meanwhile.
const std::string kLinesBlocking = R"(
exclusive:        -turn
exclusive+wanted: -turn
modified:         -turn
modified+wanted:  -turn
)";

// A processor that stalls for its stores wants nothing while one of them is under way; and a line
// of its own it locks as soon as it wants to.
const std::string kLinesStalling = R"(
absent+wanted:    -ostore
valid+wanted:     -ostore
exclusive:        -turn
exclusive+wanted: -turn -ounlock -sfetch -sread -sstore -slread
modified:         -turn
modified+wanted:  -turn -ounlock -sfetch -sread -sstore -slread
)";

const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload grant turn sover
full:   whole part none fover fnone store lload grant turn sover
)";
const std::string kBufferBlocking = R"(
partly: -turn
full:   -turn
)";
const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant sover
full:   grant sover
)";

// A locked line may be driven out by what else the instruction needs.
const std::string kLocks = R"(
free: fetch read store lread cback
own:  lstore unlock cback
)";

Declared declared(StorePolicy policy) {
    switch (policy) {
        case StorePolicy::buffered:
            return {kLines, kBuffer, kLocks};
        case StorePolicy::block_port:
            return {kLines + kLinesBlocking, kBuffer + kBufferBlocking, kLocks};
        case StorePolicy::stall:
            break;
    }
    return {kLines + kLinesStalling, kBufferStalling, kLocks};
}

}  // namespace

ProtocolCase write_update_case() {
    return {"WriteUpdate", ProtocolKind::write_update, declared};
}

}  // namespace symsim::test
