// SPDX-License-Identifier: MIT
// What write-back and Illinois declare alike: the write buffer, and who locks an address.
#pragma once

#include <string>

namespace symsim::test {

// A fill may overtake a store whose line is on its way.
inline const std::string kBuffer = R"(
empty:  none fnone store lload lstore unlock fill
partly: whole part none fover fnone store lload fill grant turn arrive sover
full:   whole part none fover fnone store lload fill grant turn arrive sover
)";
inline const std::string kBufferBlocking = R"(
partly: -turn
full:   -turn
)";
inline const std::string kBufferStalling = R"(
empty:  none fnone store lload lstore unlock fill
partly: grant arrive sover
full:   grant arrive sover
)";

// A locked line may be evicted by another line that the instruction needs, and is read again.
inline const std::string kLocks = R"(
free: fetch read rown inval lread cback
own:  rown cback
)";

}  // namespace symsim::test
