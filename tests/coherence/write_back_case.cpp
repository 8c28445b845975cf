// SPDX-License-Identifier: MIT
// Write-back with invalidation: which events can occur in which states (reached.h).
//
// A line is absent, valid (shared) or modified; a locked read makes it modified. When a store's
// turn on the bus comes, it needs a read-exclusive or an upgrade. While the line for a store is on
// its way, the processor may want another line. The arriving line evicts another.
//
// The bus blocks requests for lines on their way. While a fill is coming or here, other ports can
// read the line at most, so no fill is invalidated. A line on its way to a locked read
// (valid+coming, valid+here) or to a store is unavailable to all other ports.
//
// A line that waits for its write-back is absent. No port sends an upgrade for a line that another
// port owns. A locked line is owned, or was owned and has been evicted since.
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/write_back_buffer.h"

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

// Only in a write buffer (policy buffered) does a store wait so long that its line can become an
// own line meanwhile.
const std::string kLinesBlocking = R"(
modified:        -turn
modified+wanted: -turn
)";

// A processor that stalls for its stores wants nothing while a store is under way. It locks an own
// line without waiting.
const std::string kLinesStalling = R"(
absent+wanted:   -orown -oarrive
valid+wanted:    -evicted -oinval
modified:        -turn
modified+wanted: -turn -evicted -sfetch -sread -srown -slread
)";

Declared declared(StorePolicy policy) {
    return declared_for(policy, {kLines, kLinesBlocking, kLinesStalling, kBuffer, kBufferBlocking,
                                 kBufferStalling, kLocks});
}

}  // namespace

ProtocolCase write_back_case() {
    return {"WriteBack", Rules::write_back, &protocols::write_back, declared};
}

}  // namespace symsim::test
