// SPDX-License-Identifier: MIT
// Write-update: which events can occur in which states (reached.h).
//
// A line is exclusive or modified if no other cache has it. Then no other port can make a locked
// store to it: the locked read before, or the read before an exchange, makes the line shared. An
// exchange is a locked store without a lock. In an own line it is made at once. Nothing is ever
// invalidated, so no fill is invalidated on its way.
//
// A store to a shared (valid) or absent line goes over the bus. If it is of the whole line, as in
// lines of 4 bytes, it brings an absent line. Then other copies are shared, and a line that the
// processor waits for may be evicted. A locked store to an own line needs no transaction. Its
// unlock does, if the lock began with a locked read over the bus.
//
// A reply that an owner supplies may come after the reply to a later locked read of the same line.
// So the locked store can be granted before the processor has taken its fill.
//
// One case is rare: a line becomes an own line while the processor waits to lock it, and other
// ports use it before it is locked.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:           load store fetch lload lstore ostore ounlock ocback
                  sfetch sread sstore slread slstore
absent+wanted:    granted ostore ounlock ocback sfetch sread sstore slread slstore
absent+coming:    replied sfetch sread sstore slread slstore
absent+here:      taken sfetch sread sstore slread slstore?
valid:            load store fetch lload lstore evicted ostore ounlock
                  sfetch sread sstore slread slstore
valid+wanted:     granted evicted? ostore ounlock sfetch sread sstore slread slstore
valid+coming:     replied
valid+here:       taken
exclusive:        load store fetch lload lstore evicted here turn ounlock
                  sfetch sread sstore slread
exclusive+wanted: evicted? here turn held ounlock? sfetch? sread? sstore? slread?
modified:         load store fetch lload lstore evicted here turn ounlock
                  sfetch sread sstore slread
modified+wanted:  evicted? here turn? held ounlock? sfetch? sread? sstore? slread?
)";

// Only in a write buffer (policy buffered) does a store wait so long that its line can become an
// own line meanwhile.
const std::string kLinesBlocking = R"(
exclusive:        -turn
exclusive+wanted: -turn
modified:         -turn
modified+wanted:  -turn
)";

// A processor that stalls for its stores wants nothing while a store is under way. It locks an own
// line without waiting.
const std::string kLinesStalling = R"(
absent+wanted:    -ostore
valid+wanted:     -evicted -ostore
exclusive:        -turn
exclusive+wanted: -evicted -turn -ounlock -sfetch -sread -sstore -slread
modified:         -turn
modified+wanted:  -evicted -turn -ounlock -sfetch -sread -sstore -slread
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

// A locked line may be evicted by another line that the instruction needs.
const std::string kLocks = R"(
free: fetch read store lread lstore cback
own:  lstore unlock cback
)";

Declared declared(StorePolicy policy) {
    return declared_for(policy, {kLines, kLinesBlocking, kLinesStalling, kBuffer, kBufferBlocking,
                                 kBufferStalling, kLocks});
}

}  // namespace

ProtocolCase write_update_case() {
    return {"WriteUpdate", Rules::write_update, &protocols::write_update, declared};
}

}  // namespace symsim::test
