// SPDX-License-Identifier: MIT
// Options between mechanisms of the machine; the sources leave open which of them the hardware had.
// Each option is a key of the config.
#pragma once

#include <cstdint>

namespace symsim {

// What waits until memory has completed a store. buffered: nothing. block_port: the cache port, and
// with it the next load, store, or fetch after a branch. stall: the processor, at once.
enum class StorePolicy : std::uint8_t { buffered, block_port, stall };

// What the arbiter does with a request for a locked address. skip: passes over the request.
// keep_turn: the request keeps its turn, and requests of ports after it in the rotation wait with
// it. hold_bus: while a lock exists, only its owner is granted the bus.
enum class LockedRequest : std::uint8_t { skip, keep_turn, hold_bus };

// The Intel processor whose instruction set the machine has.
enum class Isa : std::uint8_t { i386, i486 };

// Whose turn it is on the bus. fixed: the lowest port number first.
enum class Arbitration : std::uint8_t { round_robin, fixed };

// The coherence protocols (sim/cache/protocol.h).
enum class ProtocolKind : std::uint8_t {
    write_through,
    write_through_allocate,
    write_through_on_change,
    write_back,
    write_update,
    no_cache
};

enum class EngineKind : std::uint8_t { fast, reference };

}  // namespace symsim
