// SPDX-License-Identifier: MIT
// The keys of processors, caches, bus and memory. Defaults are a Symmetry Model A;
// configs/machines/symmetry-a.toml gives the source of each.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/types.h"
#include "sim/config/make_key.h"
#include "sim/protocol/protocols.h"

namespace symsim {

namespace {

ChoiceKey protocol_choice() {
    const auto number = [](const Protocol* protocol) {
        return static_cast<std::size_t>(std::find(kProtocols.begin(), kProtocols.end(), protocol) -
                                        kProtocols.begin());
    };
    ChoiceKey key;
    key.standard = number(&protocols::write_through);
    for (const Protocol* protocol : kProtocols) key.names.emplace_back(protocol->name());
    key.set = [](Config& c, std::size_t n) { c.cache.protocol = kProtocols[n]; };
    key.get = [=](const Config& c) { return number(c.cache.protocol); };
    return key;
}

std::string protocol_meanings() {
    std::string text = "Coherence protocol.";
    for (const Protocol* protocol : kProtocols)
        text += fmt::format(" {}: {}.", protocol->name(), protocol->meaning());
    return text;
}

}  // namespace

std::vector<Key> machine_keys() {
    return {
        {"machine.name", "", TextKey{MEMBER(machine, name), "Sequent Symmetry Model A"},
         "What the machine is called in results."},
        {"machine.processors", "", IntegerKey{MEMBER(machine, processors), 20, 1, kMaxProcessors},
         "Number of processors on the bus, each with its own cache."},
        {"machine.interconnect", "",
         choice<InterconnectKind>(MEMBER(machine, interconnect), InterconnectKind::bus,
                                  {"bus", "crossbar", "nodes"}),
         "What connects processors and memory. bus: one bus, used by one at a time. crossbar: "
         "every processor has its own path to memory, with the latencies of the bus, and memory is "
         "never busy; of no effect are bus.arbitration, bus.locked_request, bus.locked_class, and "
         "under [memory] controllers, interleave_bytes, read_busy_cycles, store_busy_cycles and "
         "read_pipe. nodes: groups of processors with memory of their own, connected by rings, as "
         "[nodes] says."},
        {"processor.clock_mhz", "MHz", RealKey{MEMBER(processor, clock_mhz), 16.0, 1.0, 1000.0},
         "Processor clock; its period must be a whole number of picoseconds."},
        {"processor.isa", "", choice<Isa>(MEMBER(processor, isa), Isa::i386, {"i386", "i486"}),
         "Instruction set; i486 adds xadd, cmpxchg, bswap, invlpg and wbinvd."},
        {"cache.protocol", "", protocol_choice(), protocol_meanings()},
        {"cache.size_bytes", "bytes",
         IntegerKey{MEMBER(cache, size_bytes), 65536, 64, 16777216, true},
         "Size of each processor's cache, instructions and data together."},
        {"cache.ways", "", IntegerKey{MEMBER(cache, ways), 2, 1, 8, true},
         "Lines per set; a fill evicts the least recently used line."},
        {"cache.line_bytes", "bytes", IntegerKey{MEMBER(cache, line_bytes), 16, 4, 32, true},
         "Bytes per line, and per transfer of a miss."},
        {"cache.hit_wait_clocks", "processor clocks",
         IntegerKey{MEMBER(cache, hit_wait_clocks), 0, 0, 4},
         "Wait states of a cache hit, and of each dword fetched after a taken branch."},
        {"cache.write_buffer_depth", "stores",
         IntegerKey{MEMBER(cache, write_buffer_depth), 1, 0, 8},
         "Stores that can wait for the bus while the processor continues; 0: it waits for each "
         "store."},
        {"cache.store_policy", "",
         choice<StorePolicy>(MEMBER(cache, store_policy), StorePolicy::block_port,
                             {"buffered", "block-port", "stall"}),
         "What waits until a store is complete: nothing, the cache port, or the processor."},
        {"cache.update_exchange", "",
         choice<UpdateExchange>(MEMBER(cache, update_exchange), UpdateExchange::one_update,
                                {"one-update", "locked"}),
         "How xchg is made on a shared line under write-update: by one store that updates the "
         "other copies, or by a locked read, a locked store and an unlock. Other locked "
         "instructions, and an operand in two dwords, always take the second way."},
        {"bus.clock_mhz", "MHz", RealKey{MEMBER(bus, clock_mhz), 10.0, 1.0, 1000.0},
         "Bus clock; its period must be a whole number of picoseconds."},
        {"bus.width_bytes", "bytes", IntegerKey{MEMBER(bus, width_bytes), 8, 4, 8, true},
         "Data bytes per bus cycle."},
        {"bus.arbitration", "",
         choice<Arbitration>(MEMBER(bus, arbitration), Arbitration::round_robin,
                             {"round-robin", "fixed", "oldest"}),
         "Who is granted first: processors in rotation, the lowest processor number, or the "
         "request that has waited longest."},
        {"bus.arbitration_cycles", "bus cycles",
         IntegerKey{MEMBER(bus, arbitration_cycles), 1, 0, 8},
         "Cycles from the edge that sees a request to the earliest grant."},
        {"bus.request_cycles", "bus cycles", IntegerKey{MEMBER(bus, request_cycles), 1, 1, 8},
         "Cycles for which the request of a read occupies the bus."},
        {"bus.store_cycles", "bus cycles", IntegerKey{MEMBER(bus, store_cycles), 2, 1, 16},
         "Cycles for which a store occupies the bus, with address and data."},
        {"bus.unlock_cycles", "bus cycles", IntegerKey{MEMBER(bus, unlock_cycles), 1, 1, 8},
         "Cycles for which an unlock of an address occupies the bus."},
        {"bus.synchronise_cycles", "bus cycles",
         IntegerKey{MEMBER(bus, synchronise_cycles), 1, 0, 8},
         "Cycles from the end of a reply until the processor gets the data."},
        {"bus.store_completion_cycles", "bus cycles",
         IntegerKey{MEMBER(bus, store_completion_cycles), 8, 1, 64},
         "Cycles from the grant of a store to its completion; cache.store_policy says what waits "
         "for it."},
        {"bus.locked_request", "",
         choice<LockedRequest>(MEMBER(bus, locked_request), LockedRequest::bypass,
                               {"skip", "keep-turn", "hold-bus", "bypass"}),
         "How the arbiter treats a request for a locked address: it skips the request, which loses "
         "its turn; or keeps the turn and blocks the requests after it; or grants nothing except "
         "to the lock's owner; or bypasses the request, which is first when it can be granted."},
        {"bus.locked_class", "",
         choice<LockedClass>(MEMBER(bus, locked_class), LockedClass::same, {"same", "low"}),
         "Slot class of locked reads. low: a locked read is granted only when no other request can "
         "be."},
        {"bus.unlock", "",
         choice<UnlockPolicy>(MEMBER(bus, unlock), UnlockPolicy::with_store,
                              {"cycle", "with-store"}),
         "When the unlock cycle of a locked instruction is made: on its own, after its store is "
         "complete; or right behind the store, under the same grant. Where lines have owners "
         "(write-back) there is none."},
        {"bus.line_unavailable_cycles", "bus cycles",
         IntegerKey{MEMBER(bus, line_unavailable_cycles), 0, 0, 256},
         "Cycles for which a line is unavailable after an unlock, or (write-back) after it has "
         "arrived at a new owner."},
        {"bus.owner_supply_cycles", "bus cycles",
         IntegerKey{MEMBER(bus, owner_supply_cycles), 1, 0, 64},
         "Cycles by which a line from another cache arrives later than a line from memory."},
        {"memory.size_mb", "MB", IntegerKey{MEMBER(memory, size_mb), 16, 1, 1024},
         "Size of main memory."},
        {"memory.latency_cycles", "bus cycles",
         IntegerKey{MEMBER(memory, latency_cycles), 3, 0, 64},
         "Cycles from the end of the request of a read until its reply is ready, if its controller "
         "is free. 0: the reply follows at once, so a read holds the bus from request to data."},
        {"memory.controllers", "", IntegerKey{MEMBER(memory, controllers), 2, 1, 4, true},
         "Number of memory controllers."},
        {"memory.interleave_bytes", "bytes",
         IntegerKey{MEMBER(memory, interleave_bytes), 32, 32, 4096, true},
         "Consecutive bytes at one controller, before the next controller's."},
        {"memory.read_busy_cycles", "bus cycles",
         IntegerKey{MEMBER(memory, read_busy_cycles), 3, 0, 64},
         "Cycles for which a read keeps its controller busy, from the arrival of the request."},
        {"memory.store_busy_cycles", "bus cycles",
         IntegerKey{MEMBER(memory, store_busy_cycles), 4, 0, 64},
         "Cycles for which a store keeps its controller busy. When the store is complete for the "
         "processor is another number: bus.store_completion_cycles."},
        {"memory.read_pipe", "reads", IntegerKey{MEMBER(memory, read_pipe), 1, 1, 2},
         "Reads that a controller accepts at a time: it works on one, the other one waits."},
    };
}

}  // namespace symsim
