// SPDX-License-Identifier: MIT
// No cache: which events can occur in which states (reached.h). As with write-through, but no line
// is ever installed, so no line can be invalidated on its way.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

const std::string kLines = R"(
absent:        load store fetch lload lstore ostore ounlock sfetch sread sstore slread slstore
absent+wanted: granted ostore ounlock sfetch sread sstore slread slstore
absent+coming: replied sfetch sread sstore slread
absent+here:   taken sfetch sread sstore slread
)";

const std::string kLinesStalling = R"(
absent+wanted: -ostore
)";

const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload grant sover
full:   whole part none fover fnone store lload grant sover
)";

const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant sover
full:   grant sover
)";

const std::string kLocks = R"(
free: fetch read store lread
own:  lstore unlock
)";

Declared declared(StorePolicy policy) {
    const bool stalls = policy == StorePolicy::stall;
    return {stalls ? kLines + kLinesStalling : kLines, stalls ? kBufferStalling : kBuffer, kLocks};
}

}  // namespace

ProtocolCase no_cache_case() {
    return {"NoCache", Rules::no_cache, &protocols::no_cache, declared};
}

}  // namespace symsim::test
