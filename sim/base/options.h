// SPDX-License-Identifier: MIT
// Choices between mechanisms that the sources leave open (design.md section 4). Each is a key of
// the config; none is hidden.
#pragma once

#include <cstdint>

namespace symsim {

// What a store makes wait until memory has completed it: nothing; the cache port, and with it the
// next load, store, or fetch after a branch; or the processor at once.
enum class StorePolicy : std::uint8_t { buffered, block_port, stall };

// What the arbiter does with a request for a locked address: passes it over, lets it keep its turn
// and block those behind it, or grants nobody but the lock's owner.
enum class LockedRequest : std::uint8_t { skip, keep_turn, hold_bus };

// Which of Intel's processors the instruction set is of.
enum class Isa : std::uint8_t { i386, i486 };

enum class Arbitration : std::uint8_t { round_robin, fixed };

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
