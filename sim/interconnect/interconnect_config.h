// SPDX-License-Identifier: MIT
// The keys of [bus] and [memory], which every interconnect has, and what an interconnect is built
// from.
#pragma once

#include <cstdint>

#include "sim/base/fields.h"
#include "sim/base/options.h"
#include "sim/base/time.h"

namespace symsim {

struct BusConfig {
    double clock_mhz = 10.0;
    std::uint32_t width_bytes = 8;
    Arbitration arbitration = Arbitration::round_robin;
    std::uint32_t arbitration_cycles = 1;
    std::uint32_t request_cycles = 1;
    std::uint32_t store_cycles = 2;
    std::uint32_t unlock_cycles = 1;
    std::uint32_t synchronise_cycles = 1;
    std::uint32_t store_completion_cycles = 8;
    LockedRequest locked_request = LockedRequest::bypass;
    LockedClass locked_class = LockedClass::same;
    UnlockPolicy unlock = UnlockPolicy::with_store;
    std::uint32_t line_unavailable_cycles = 0;
    std::uint32_t owner_supply_cycles = 1;

    Time period() const { return period_of(clock_mhz); }
};

template <class Visit>
void for_each_field(BusConfig& bus, Visit&& visit) {
    visit("clock_mhz", "MHz", bus.clock_mhz, fits::Numbers{1.0, 1000.0},
          "Bus clock; its period must be a whole number of picoseconds.");
    visit("width_bytes", "bytes", bus.width_bytes, fits::PowersOfTwo{4, 8},
          "Data bytes per bus cycle.");
    visit("arbitration", "", bus.arbitration, fits::Names{{"round-robin", "fixed", "oldest"}},
          "Who is granted first: processors in rotation, the lowest processor number, or the "
          "request that has waited longest.");
    visit("arbitration_cycles", "bus cycles", bus.arbitration_cycles, fits::Integers{0, 8},
          "Cycles from the edge that sees a request to the earliest grant.");
    visit("request_cycles", "bus cycles", bus.request_cycles, fits::Integers{1, 8},
          "Cycles for which the request of a read occupies the bus.");
    visit("store_cycles", "bus cycles", bus.store_cycles, fits::Integers{1, 16},
          "Cycles for which a store occupies the bus, with address and data.");
    visit("unlock_cycles", "bus cycles", bus.unlock_cycles, fits::Integers{1, 8},
          "Cycles for which an unlock of an address occupies the bus.");
    visit("synchronise_cycles", "bus cycles", bus.synchronise_cycles, fits::Integers{0, 8},
          "Cycles from the end of a reply until the processor gets the data.");
    visit("store_completion_cycles", "bus cycles", bus.store_completion_cycles,
          fits::Integers{1, 64},
          "Cycles from the grant of a store to its completion; cache.store_policy says what waits "
          "for it.");
    visit(
        "locked_request", "", bus.locked_request,
        fits::Names{{"skip", "keep-turn", "hold-bus", "bypass"}},
        "How the arbiter treats a request for a locked address: it skips the request, which loses "
        "its turn; or keeps the turn and blocks the requests after it; or grants nothing except "
        "to the lock's owner; or bypasses the request, which is first when it can be granted.");
    visit(
        "locked_class", "", bus.locked_class, fits::Names{{"same", "low"}},
        "Slot class of locked reads. low: a locked read is granted only when no other request can "
        "be.");
    visit("unlock", "", bus.unlock, fits::Names{{"cycle", "with-store"}},
          "When the unlock cycle of a locked instruction is made: on its own, after its store is "
          "complete; or right behind the store, under the same grant. Where lines have owners "
          "(write-back) there is none.");
    visit("line_unavailable_cycles", "bus cycles", bus.line_unavailable_cycles,
          fits::Integers{0, 256},
          "Cycles for which a line is unavailable after an unlock, or (write-back) after it has "
          "arrived at a new owner.");
    visit("owner_supply_cycles", "bus cycles", bus.owner_supply_cycles, fits::Integers{0, 64},
          "Cycles by which a line from another cache arrives later than a line from memory.");
}

struct MemoryConfig {
    std::uint32_t size_mb = 16;
    std::uint32_t latency_cycles = 3;
    std::uint32_t controllers = 2;
    std::uint32_t interleave_bytes = 32;
    std::uint32_t read_busy_cycles = 3;
    std::uint32_t store_busy_cycles = 4;
    std::uint32_t read_pipe = 1;
};

template <class Visit>
void for_each_field(MemoryConfig& memory, Visit&& visit) {
    visit("size_mb", "MB", memory.size_mb, fits::Integers{1, 1024}, "Size of main memory.");
    visit(
        "latency_cycles", "bus cycles", memory.latency_cycles, fits::Integers{0, 64},
        "Cycles from the end of the request of a read until its reply is ready, if its controller "
        "is free. 0: the reply follows at once, so a read holds the bus from request to data.");
    visit("controllers", "", memory.controllers, fits::PowersOfTwo{1, 4},
          "Number of memory controllers.");
    visit("interleave_bytes", "bytes", memory.interleave_bytes, fits::PowersOfTwo{32, 4096},
          "Consecutive bytes at one controller, before the next controller's.");
    visit("read_busy_cycles", "bus cycles", memory.read_busy_cycles, fits::Integers{0, 64},
          "Cycles for which a read keeps its controller busy, from the arrival of the request.");
    visit("store_busy_cycles", "bus cycles", memory.store_busy_cycles, fits::Integers{0, 64},
          "Cycles for which a store keeps its controller busy. When the store is complete for the "
          "processor is another number: bus.store_completion_cycles.");
    visit("read_pipe", "reads", memory.read_pipe, fits::Integers{1, 2},
          "Reads that a controller accepts at a time: it works on one, the other one waits.");
}

struct InterconnectConfig : BusConfig {
    MemoryConfig memory;
    std::uint32_t line_bytes;
    bool lines_have_owners;
    // True in the fast engine: only ports that may have a line snoop it (SnoopFilter), and a lock
    // or unlock looks only at ports that it can concern. False in the reference engine: all ports
    // are asked. Tests compare the results of both.
    bool filter_snoops;
};

// The machine's nodes, as guests can read them (sim/devices/board.h). Processor p is in node
// p / processors_per_node. A machine whose processors are all equally far from all memory is one
// node.
struct Topology {
    std::uint32_t nodes;
    std::uint32_t processors_per_node;

    // From the node of one processor to that of another, in the direction of the rings.
    std::uint32_t links(std::uint32_t from, std::uint32_t to) const {
        return (to / processors_per_node + nodes - from / processors_per_node) % nodes;
    }
};

}  // namespace symsim
