// SPDX-License-Identifier: MIT
// The states of a line in a cache. Each protocol uses some of them; what a state permits is in the
// protocol's table (protocol.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace symsim {

// Shared: other caches may have the line too. Exclusive: no other cache has it. Modified: no other
// cache has it, and real memory does not have its bytes yet. Owned: real memory does not have its
// bytes yet, and other caches may have the line, shared.
enum class LineState : std::uint8_t { invalid, shared, exclusive, modified, owned };
constexpr std::size_t kLineStates = 5;

}  // namespace symsim
