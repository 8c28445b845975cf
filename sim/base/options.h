// SPDX-License-Identifier: MIT
// Options between mechanisms of the machine; the sources leave open which of them the hardware had.
// Each option is a key of the config.
#pragma once

#include <cstdint>

namespace symsim {

// What waits until memory has completed a store. buffered: nothing. block_port: the cache port, and
// with it the next load, store, or fetch after a branch. stall: the processor, at once.
enum class StorePolicy : std::uint8_t { buffered, block_port, stall };

// What the arbiter does with a request for a locked address. skip: passes over the request, which
// loses its turn. bypass: passes over the request, which goes first after the unlock. keep_turn:
// the request keeps its turn, and requests of ports after it wait with it. hold_bus: while a lock
// exists, only its owner is granted the bus.
enum class LockedRequest : std::uint8_t { skip, keep_turn, hold_bus, bypass };

// The slot class of the locked reads of ports that own no lock. low: they are granted only when no
// other request can be.
enum class LockedClass : std::uint8_t { same, low };

// How a locked instruction ends its lock. cycle: by a bus cycle of its own, after its store is
// complete. with_store: the unlock cycle follows the locked store at once, under the same grant.
enum class UnlockPolicy : std::uint8_t { cycle, with_store };

// How xchg is made on a line that the cache shares with others, under write-update. one_update: by
// one store over the bus; the old value is the one at its grant. locked: by a locked read, a locked
// store and an unlock.
enum class UpdateExchange : std::uint8_t { one_update, locked };

// The Intel processor whose instruction set the machine has (guest/instruction_sets.def).
enum class Isa : std::uint8_t { i386, i486, i586, i686 };

// Whose turn it is on the bus. fixed: the lowest port number first. oldest: the request that has
// waited longest first, and of equal ones the next in the rotation.
enum class Arbitration : std::uint8_t { round_robin, fixed, oldest };

// From where the instructions up to a preemption are counted (sim/cpu/delivery/preemption.h).
enum class CountFrom : std::uint8_t { start, region };

// What connects the processors with memory: one bus, a path for each (sim/bus/crossbar.h), or nodes
// with memory of their own (sim/nodes).
enum class InterconnectKind : std::uint8_t { bus, crossbar, nodes };

// What connects the processors of a node with its memory.
enum class NodeInside : std::uint8_t { crossbar, bus };

// Which node's memory has a page: that of the first processor that uses it, each node's in turn, or
// equal parts of all memory one after the other. follows_owner: memory consists of caches, and a
// block is at home where its owner is, from its first use on.
enum class Placement : std::uint8_t { first_touch, interleaved, by_address, follows_owner };

enum class EngineKind : std::uint8_t { fast, reference };

}  // namespace symsim
