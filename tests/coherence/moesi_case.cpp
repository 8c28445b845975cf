// SPDX-License-Identifier: MIT
// MOESI: which events can occur in which states (reached.h).
//
// As illinois_case.cpp, with one more state: another port's read makes a modified line owned.
//
// Rare: a line is exclusive while the processor waits to lock it, and other ports use it before it
// is locked.
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/write_back_buffer.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:           load store fetch lload lstore orown oarrive ocback
                  sfetch sread srown sinval slread
absent+wanted:    granted orown oarrive ocback sfetch sread srown sinval slread
absent+coming:    replied sfetch sread
absent+here:      taken sfetch sread
valid:            load store fetch lload evicted oinval sfetch sread srown sinval slread
valid+wanted:     granted evicted oinval sfetch sread srown sinval slread
valid+coming:     replied
valid+here:       taken
exclusive:        load store fetch lload lstore evicted here turn sfetch sread srown slread
exclusive+wanted: evicted turn? held sfetch? sread? srown? slread?
modified:         load store fetch lload lstore evicted here turn sfetch sread srown slread
modified+wanted:  evicted turn held sfetch sread srown slread
owned:            load store fetch lload evicted oinval sfetch sread srown sinval slread
owned+wanted:     granted evicted oinval sfetch sread srown sinval slread
owned+coming:     replied
owned+here:       taken
)";
const std::string kLinesBlocking = R"(
exclusive:        -turn
exclusive+wanted: -turn
modified:         -turn
modified+wanted:  -turn
)";
const std::string kLinesStalling = R"(
absent+wanted:    -orown -oarrive
valid+wanted:     -evicted -oinval
exclusive:        -turn
exclusive+wanted: -turn -evicted -sfetch -sread -srown -slread
modified:         -turn
modified+wanted:  -turn -evicted -sfetch -sread -srown -slread
owned+wanted:     -evicted -oinval
)";

Declared declared(StorePolicy policy) {
    return declared_for(policy, {kLines, kLinesBlocking, kLinesStalling, kBuffer, kBufferBlocking,
                                 kBufferStalling, kLocks});
}

}  // namespace

ProtocolCase moesi_case() {
    return {"Moesi", Rules::moesi, &protocols::moesi, declared};
}

}  // namespace symsim::test
