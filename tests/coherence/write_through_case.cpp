// SPDX-License-Identifier: MIT
// Write-through with invalidation: which events are met in which states.
//
// A processor waits for its fill, so it asks for nothing while a fill is wanted, coming or here,
// and none of its own stores is left behind one. Only a locked read asks for a line that is valid,
// and from its grant on nobody else gets at that line: valid+changed cannot be. A fill that is
// coming or here was granted before another's lock of its line, and replies come in the order of
// requests: it is taken before that other's locked store is made. A store does not bring its line
// in, so a line is evicted by a fill alone, never while one is under way.
#include "tests/coherence/protocol_case.h"

namespace symsim::test {
namespace {

constexpr std::string_view kLines = R"(
               load store fetch lload lstore granted replied taken evicted ostore ounlock sfetch sread sstore slread slstore
absent         x    x     x     x     x      -       -       -     -       x      x       x      x     x      x      x
absent+wanted  -    -     -     -     -      x       -       -     -       x      x       x      x     x      x      x
absent+coming  -    -     -     -     -      -       x       -     -       -      -       x      x     x      x      -
absent+here    -    -     -     -     -      -       -       x     -       -      -       x      x     x      x      -
absent+changed -    -     -     -     -      -       x       x     -       -      -       x      x     x      x      -
valid          x    x     x     x     x      -       -       -     x       x      x       x      x     x      x      x
valid+wanted   -    -     -     -     -      x       -       -     -       x      x       x      x     x      x      x
valid+coming   -    -     -     -     -      -       x       -     -       -      -       -      -     -      -      -
valid+here     -    -     -     -     -      -       -       x     -       -      -       -      -     -      -      -
valid+changed  -    -     -     -     -      -       -       -     -       -      -       -      -     -      -      -
)";

// A processor that stalls for its stores wants nothing while one of them waits for the bus.
constexpr std::string_view kLinesStalling = R"(
               load store fetch lload lstore granted replied taken evicted ostore ounlock sfetch sread sstore slread slstore
absent         x    x     x     x     x      -       -       -     -       x      x       x      x     x      x      x
absent+wanted  -    -     -     -     -      x       -       -     -       -      x       x      x     x      x      x
absent+coming  -    -     -     -     -      -       x       -     -       -      -       x      x     x      x      -
absent+here    -    -     -     -     -      -       -       x     -       -      -       x      x     x      x      -
absent+changed -    -     -     -     -      -       x       x     -       -      -       x      x     x      x      -
valid          x    x     x     x     x      -       -       -     x       x      x       x      x     x      x      x
valid+wanted   -    -     -     -     -      x       -       -     -       -      x       x      x     x      x      x
valid+coming   -    -     -     -     -      -       x       -     -       -      -       -      -     -      -      -
valid+here     -    -     -     -     -      -       -       x     -       -      -       -      -     -      -      -
valid+changed  -    -     -     -     -      -       -       -     -       -      -       -      -     -      -      -
)";

// A locked load waits for the stores before it, so that locked stores and the unlock find the
// buffer empty; and the bus serves each port in its order, so that a fill does too.
constexpr std::string_view kBuffer = R"(
       whole part none fover fnone store lload lstore unlock fill grant sover
empty  -     -    x    -     x     x     x     x      x      x    -     -
partly x     x    x    x     x     x     x     -      -      -    x     x
full   x     x    x    x     x     x     x     -      -      -    x     x
)";

// The store under way is the only one, and the processor asks for nothing until it is complete.
constexpr std::string_view kBufferStalling = R"(
       whole part none fover fnone store lload lstore unlock fill grant sover
empty  -     -    x    -     x     x     x     x      x      x    -     -
partly -     -    -    -     -     -     -     -      -      -    x     x
full   -     -    -    -     -     -     -     -      -      -    x     x
)";

// Under its own lock a port makes the locked stores and the unlock, which come in its order before
// anything else.
constexpr std::string_view kLocks = R"(
     fetch read rown inval store lread lstore unlock cback
free x     x    -    -     x     x     -      -      -
own  -     -    -    -     -     -     x      x      -
)";

Declared declared(StorePolicy policy) {
    const bool stalls = policy == StorePolicy::stall;
    return {stalls ? kLinesStalling : kLines, stalls ? kBufferStalling : kBuffer, kLocks};
}

}  // namespace

ProtocolCase write_through_case() {
    return {"write-through", write_through, false, declared};
}

}  // namespace symsim::test
