// SPDX-License-Identifier: MIT
// Write-back with invalidation: which events are met in which states.
//
// A line is absent, valid or modified; a locked read makes it modified. A store at its turn reads
// the line to own it, or invalidates the other copies; a line comes to a store while the processor
// may want something else, and drives out another. What the bus keeps to itself: while a fill is
// coming or here, others read the line at most, and nothing spoils it; while it comes to a locked
// read (valid+coming, valid+here) or to a store, it is nobody's. A line that waits for its
// copy-back is absent. An owner's line is not another's to invalidate, and what is locked is owned,
// or was and has been driven out since.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:          load store fetch lload lstore orown oarrive ocback
                 sfetch sread srown sinval slread
absent+wanted:   granted orown oarrive ocback sfetch sread srown sinval slread
absent+coming:   replied sfetch sread
absent+here:     taken sfetch sread
valid:           load store fetch lload evicted oinval sfetch sread srown sinval slread
valid+wanted:    granted evicted oinval sfetch sread srown sinval slread
valid+coming:    replied
valid+here:      taken
modified:        load store fetch lload lstore evicted here turn sfetch sread srown slread
modified+wanted: evicted turn held sfetch sread srown slread
)";

// Only a buffer holds a store back so long that its line has become the own one meanwhile.
const std::string kLinesBlocking = R"(
modified:        -turn
modified+wanted: -turn
)";

// A processor that stalls for its stores wants nothing while one of them is under way; and a line
// of its own it locks as soon as it wants to.
const std::string kLinesStalling = R"(
absent+wanted:   -orown -oarrive
valid+wanted:    -evicted -oinval
modified:        -turn
modified+wanted: -turn -evicted -sfetch -sread -srown -slread
)";

// A fill may overtake a store whose line is on its way.
const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload fill grant turn arrive sover
full:   whole part none fover fnone store lload fill grant turn arrive sover
)";
const std::string kBufferBlocking = R"(
partly: -turn
full:   -turn
)";
const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant arrive sover
full:   grant arrive sover
)";

// A locked line may be driven out by what else the instruction needs, and is fetched again.
const std::string kLocks = R"(
free: fetch read rown inval lread cback
own:  rown cback
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

ProtocolCase write_back_case() {
    return {"WriteBack", ProtocolKind::write_back, declared};
}

}  // namespace symsim::test
