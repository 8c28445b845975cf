// SPDX-License-Identifier: MIT
#include "sim/config/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/edit_distance.h"
#include "sim/base/types.h"
#include "sim/config/make_key.h"
#include "sim/config/toml_text.h"
#include "sim/events/observer.h"
#include "sim/protocol/protocols.h"

namespace symsim {

namespace {

StorePolicy& store_policy_member(Config& c) {
    return c.cache.store_policy;
}
UpdateExchange& update_exchange_member(Config& c) {
    return c.cache.update_exchange;
}
Arbitration& arbitration_member(Config& c) {
    return c.bus.arbitration;
}
InterconnectKind& interconnect_member(Config& c) {
    return c.machine.interconnect;
}
Isa& isa_member(Config& c) {
    return c.processor.isa;
}
LockedRequest& locked_request_member(Config& c) {
    return c.bus.locked_request;
}
LockedClass& locked_class_member(Config& c) {
    return c.bus.locked_class;
}
UnlockPolicy& unlock_member(Config& c) {
    return c.bus.unlock;
}
PreemptFrom& preempt_from_member(Config& c) {
    return c.preempt.from;
}
EngineKind& engine_member(Config& c) {
    return c.run.engine;
}
LogAxes& log_axes_member(Config& c) {
    return c.figure.log;
}

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

// A kind of probe point, or none.
ChoiceKey probe_choice() {
    ChoiceKey key;
    key.standard = 0;
    key.names = {"none"};
    for (const ProbePoint& point : kProbePoints) key.names.emplace_back(point.name);
    key.set = [](Config& c, std::size_t n) {
        c.observe.window.around.reset();
        if (n > 0) c.observe.window.around = kProbePoints[n - 1].kind;
    };
    key.get = [](const Config& c) {
        for (std::size_t n = 0; n < kProbePoints.size(); ++n)
            if (c.observe.window.around == kProbePoints[n].kind) return n + 1;
        return std::size_t{0};
    };
    return key;
}

// Defaults are a Symmetry Model A; configs/machines/symmetry-a.toml gives the source of each.
std::vector<Key> make_keys() {
    return {
        {"machine.name", "", TextKey{MEMBER(machine, name), "Sequent Symmetry Model A"},
         "What the machine is called in results."},
        {"machine.processors", "", IntegerKey{MEMBER(machine, processors), 20, 1, kMaxProcessors},
         "Number of processors on the bus, each with its own cache."},
        {"machine.interconnect", "",
         choice<InterconnectKind, interconnect_member>(InterconnectKind::bus,
                                                       {"bus", "crossbar", "nodes"}),
         "What connects processors and memory. bus: one bus, used by one at a time. crossbar: "
         "every "
         "processor has its own path to memory, with the latencies of the bus, and memory is never "
         "busy; of no effect are bus.arbitration, bus.locked_request, bus.locked_class, and under "
         "[memory] controllers, interleave_bytes, read_busy_cycles, store_busy_cycles and "
         "read_pipe. nodes: groups of processors with memory of their own, connected by rings, as "
         "[nodes] says."},
        {"processor.clock_mhz", "MHz", RealKey{MEMBER(processor, clock_mhz), 16.0, 1.0, 1000.0},
         "Processor clock; its period must be a whole number of picoseconds."},
        {"processor.isa", "", choice<Isa, isa_member>(Isa::i386, {"i386", "i486"}),
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
         choice<StorePolicy, store_policy_member>(StorePolicy::block_port,
                                                  {"buffered", "block-port", "stall"}),
         "What waits until a store is complete: nothing, the cache port, or the processor."},
        {"cache.update_exchange", "",
         choice<UpdateExchange, update_exchange_member>(UpdateExchange::one_update,
                                                        {"one-update", "locked"}),
         "How xchg is made on a shared line under write-update: by one store that updates the "
         "other "
         "copies, or by a locked read, a locked store and an unlock. Other locked instructions, "
         "and "
         "an operand in two dwords, always take the second way."},
        {"bus.clock_mhz", "MHz", RealKey{MEMBER(bus, clock_mhz), 10.0, 1.0, 1000.0},
         "Bus clock; its period must be a whole number of picoseconds."},
        {"bus.width_bytes", "bytes", IntegerKey{MEMBER(bus, width_bytes), 8, 4, 8, true},
         "Data bytes per bus cycle."},
        {"bus.arbitration", "",
         choice<Arbitration, arbitration_member>(Arbitration::round_robin,
                                                 {"round-robin", "fixed", "oldest"}),
         "Who is granted first: processors in rotation, the lowest processor number, or the "
         "request "
         "that has waited longest."},
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
         choice<LockedRequest, locked_request_member>(LockedRequest::bypass,
                                                      {"skip", "keep-turn", "hold-bus", "bypass"}),
         "How the arbiter treats a request for a locked address: it skips the request, which loses "
         "its turn; or keeps the turn and blocks the requests after it; or grants nothing except "
         "to the lock's owner; or bypasses the request, which is first when it can be granted."},
        {"bus.locked_class", "",
         choice<LockedClass, locked_class_member>(LockedClass::same, {"same", "low"}),
         "Slot class of locked reads. low: a locked read is granted only when no other request can "
         "be."},
        {"bus.unlock", "",
         choice<UnlockPolicy, unlock_member>(UnlockPolicy::with_store, {"cycle", "with-store"}),
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
        {"slic.message_ns", "ns", IntegerKey{MEMBER(slic, message_ns), 4000, 1, 1000000},
         "Time for which a message occupies the bus of the interrupt controllers."},
        {"slic.mask_ns", "ns", IntegerKey{MEMBER(slic, mask_ns), 500, 1, 1000000},
         "Time from a write of the interrupt mask until the mask takes effect."},
        {"sync_bus.present", "", FlagKey{MEMBER(sync_bus, present), false},
         "Whether the machine has a synchronisation bus beside the System Bus: one-bit locks in "
         "hardware with test-and-set."},
        {"sync_bus.locks", "locks", IntegerKey{MEMBER(sync_bus, locks), 65536, 1, 1048576},
         "Number of locks of the synchronisation bus."},
        {"sync_bus.latency_ns", "ns", IntegerKey{MEMBER(sync_bus, latency_ns), 1500, 1, 100000},
         "Time of an operation, from the grant of the synchronisation bus until the processor "
         "continues."},
        {"sync_bus.occupancy_ns", "ns", IntegerKey{MEMBER(sync_bus, occupancy_ns), 500, 1, 10000},
         "Time for which an operation occupies the synchronisation bus; others wait, first come, "
         "first served."},
        {"monitor.present", "", FlagKey{MEMBER(monitor, present), false},
         "Whether each processor has a performance monitor, which the guest can read: counts of "
         "its "
         "cache misses and stores, the time waited, and the node of an address."},
        // A guess: "very expensive compared to the processor cycle time", 10 ns on the SPP 1000
        // (Steckermeier and Bellosa 1995, section 7.1.4), by hardware outside of the processor. A
        // microsecond is between that machine's accesses to local and remote memory.
        {"monitor.read_ns", "ns", IntegerKey{MEMBER(monitor, read_ns), 1000, 1, 100000},
         "Time of an access to a register of the performance monitor; the processor waits."},
        {"preempt.instructions", "instructions",
         IntegerKey{MEMBER(preempt, instructions), 0, 0, 4294967295u},
         "The timer's interrupt arrives at one processor once, after it has retired this number of "
         "instructions; 0: never."},
        {"preempt.on_processor", "", IntegerKey{MEMBER(preempt, on_processor), 0, 0, 63},
         "Processor at which that interrupt arrives."},
        {"preempt.from", "",
         choice<PreemptFrom, preempt_from_member>(PreemptFrom::start, {"start", "region"}),
         "Where preempt.instructions begins to count: at the start of the run, or at that "
         "processor's first region_begin probe point with the number preempt.region."},
        {"preempt.region", "", IntegerKey{MEMBER(preempt, region), 0, 0, 4294967295u},
         "Number of the region at whose beginning the count starts; only with preempt.from = "
         "region."},
        {"guest.image", "", TextKey{MEMBER(guest, image), ""},
         "The guest program: an i386 ELF file, or the name of a built guest; {name} stands for "
         "guest.args.name."},
        {"guest.rom", "", TextKey{MEMBER(guest, rom), ""},
         "Instead of guest.image: a ROM, which starts in real mode at its last 16 bytes, or a boot "
         "sector."},
        {"guest.rom_address", "", IntegerKey{MEMBER(guest, rom_address), 0xF0000, 0, 0x3FFF'FFF0},
         "Address of guest.rom in memory, a multiple of 16. The ROM also appears right below 4 "
         "GB."},
        {"guest.code_anywhere", "", FlagKey{MEMBER(guest, code_anywhere), false},
         "Whether the guest may execute memory outside the code of its image; a ROM always may. "
         "false: this is a failure of the guest."},
        {"guest.post_port", "", IntegerKey{MEMBER(guest, post_port), 0x80, 0, 0xFFFF},
         "I/O port of progress (POST) codes: the summary has each byte written there, with its "
         "time."},
        {"guest.output_port", "", IntegerKey{MEMBER(guest, output_port), 0xE9, 0, 0xFFFF},
         "I/O port of text output: each byte written there goes to the console."},
        {"guest.stdin", "", TextKey{MEMBER(guest, stdin_file), ""},
         "File that the guest reads as its standard input; empty: no input."},
        {"run.engine", "",
         choice<EngineKind, engine_member>(EngineKind::fast, {"fast", "reference"}),
         "The engine that simulates time. Both write the same results; fast needs less host time."},
        {"run.limit_ms", "ms", RealKey{MEMBER(run, limit_ms), 0.0, 0.0, 9e6},
         "Simulated time at which symsim ends the run; 0: no limit."},
        {"run.seed", "", IntegerKey{MEMBER(run, seed), 1, 0, 4294967295u},
         "Seed of the guest's random numbers."},
        {"observe.interval_us", "us", RealKey{MEMBER(observe, interval_us), 100.0, 0.1, 1e9},
         "Length of the intervals of bus.csv."},
        {"observe.vcd", "", FlagKey{MEMBER(observe, vcd), false},
         "Whether to write every bus transaction to trace.vcd."},
        {"observe.profile_us", "us", RealKey{MEMBER(observe, profile_us), 0.0, 0.0, 1e9},
         "Time between two samples of every processor in profile.folded; 0: no samples."},
        {"observe.transactions", "", FlagKey{MEMBER(observe, transactions), false},
         "Whether to write every use of the bus, mark and state to bus.log.zst."},
        {"observe.transactions_limit_mb", "MB",
         IntegerKey{MEMBER(observe, transactions_limit_mb), 4096, 1, 1048576},
         "Size of the records, before compression, at which bus.log.zst stops."},
        {"observe.perfetto", "", FlagKey{MEMBER(observe, perfetto), false},
         "Whether to write processors, threads, locks, bus and interrupts to trace.pftrace."},
        {"observe.perfetto_limit_mb", "MB",
         IntegerKey{MEMBER(observe, perfetto_limit_mb), 300, 4, 1048576},
         "Size at which trace.pftrace ends, in 2^20 bytes."},
        {"observe.window.from_us", "us", RealKey{MEMBER(observe, window.from_us), 0.0, 0.0, 9e9},
         "Simulated time at which traces begin."},
        {"observe.window.to_us", "us", RealKey{MEMBER(observe, window.to_us), 0.0, 0.0, 9e9},
         "Simulated time at which traces end; 0: the end of the run."},
        {"observe.window.around", "", probe_choice(),
         "Instead of fixed times: traces show the run around the first probe point of this kind."},
        {"observe.window.around_value", "", TextKey{MEMBER(observe, window.around_value), ""},
         "Operand of that probe point: a symbol of the guest or a number; empty: any."},
        {"observe.window.around_us", "us",
         RealKey{MEMBER(observe, window.around_us), 1000.0, 0.001, 1e9},
         "Time that traces show before and after that probe point."},
        {"observe.window.last_ms", "ms", RealKey{MEMBER(observe, window.last_ms), 0.0, 0.0, 9e6},
         "Instead of fixed times: traces show this long before the end of the run, for example "
         "before a failure; 0: off."},
        {"figure.name", "", TextKey{MEMBER(figure, name), ""},
         "Figure of symlab that draws the sweep of this file; empty: a plain plot."},
        {"figure.title", "", TextKey{MEMBER(figure, title), ""},
         "Title of the plain plot; empty: the name of the sweep."},
        {"figure.y", "", TextKey{MEMBER(figure, y), ""},
         "Column of the sweep's table that the plain plot draws; empty: elapsed_us."},
        {"figure.log", "",
         choice<LogAxes, log_axes_member>(LogAxes::none, {"none", "x", "y", "both"}),
         "Which axes of the plain plot are logarithmic."},
        {"figure.own", "", TextKey{MEMBER(figure, own), ""},
         "Curves that the plain plot draws thicker than the others: their names, separated by "
         "commas."},
    };
}

// Whether `text` has at least three letters of `word`, in their order, the first of them included.
bool abbreviates(const std::string& text, const std::string& word) {
    if (text.size() < 3 || text.size() >= word.size() || text[0] != word[0]) return false;
    std::size_t at = 0;
    for (const char c : word)
        if (at < text.size() && text[at] == c) ++at;
    return at == text.size();
}

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

const std::vector<Key>& all_keys() {
    static const std::vector<Key> keys = [] {
        std::vector<Key> all = make_keys();
        const auto after_memory = std::find_if(
            all.begin(), all.end(), [](const Key& key) { return key.name == "slic.message_ns"; });
        const std::vector<Key> nodes = nodes_keys();
        all.insert(after_memory, nodes.begin(), nodes.end());
        return all;
    }();
    return keys;
}

const std::vector<FreeKey>& free_keys() {
    static const std::vector<FreeKey> keys = {
        {"guest.args.NAME", "a string, an integer, true or false",
         "An argument of the guest, which reads it by its name."},
        {"sweep.\"KEY\"", "an array of values of that key, or a range: \"1..20\", \"1..20..2\"",
         "Values of a key: symlab sweep runs all combinations. \"all\" stands for every lock, "
         "barrier or strategy."},
        {"sweep.joint",
         "tables [[sweep.joint]]: for each key an array of values, all of one length",
         "Keys that change together: each table is one axis."},
        {"sweep.repeats", "an integer from 1 to 10000",
         "Number of seeds with which each point is run: run.seed and the numbers after it."},
        {"sweep.SIZE.\"KEY\"", "a value of that key, or an array of values",
         "Another size of the sweep for symlab reproduce: quick, reduced, sensitivity or delays."},
        {"base", "the path of another TOML file, relative to this one",
         "Inherits the keys of that file; keys of this file override them."},
    };
    return keys;
}

const Key* find_key(const std::string& name) {
    for (const Key& key : all_keys())
        if (key.name == name) return &key;
    return nullptr;
}

std::string key_of_size(const std::string& name) {
    for (const char* size : {"quick", "reduced", "sensitivity", "delays"}) {
        const std::string table = fmt::format("sweep.{}.", size);
        if (name.compare(0, table.size(), table) == 0) return name.substr(table.size());
    }
    return "";
}

bool is_table(const std::string& name) {
    if (name == "sweep" || name == "guest.args" || !key_of_size(name + ".x").empty()) return true;
    const auto& keys = all_keys();
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
        return key.name.compare(0, name.size() + 1, name + ".") == 0;
    });
}

std::optional<std::string> nearest_key(const std::string& name) {
    constexpr std::size_t kLongest = 100;  // no key is so long, and the search would take long
    if (name.size() > kLongest) return std::nullopt;
    const auto last = [](const std::string& full) { return full.substr(full.rfind('.') + 1); };
    const auto table = [](const std::string& full) {
        const std::size_t dot = full.rfind('.');
        return dot == std::string::npos ? "" : full.substr(0, dot);
    };
    const std::string own = last(name);
    // An abbreviation in the right table, or without one, is no slip. The right key in the wrong
    // table, or in none, is one.
    const auto unlike = [&](const Key& key) -> std::size_t {
        const bool same_table = name == own || table(name) == table(key.name);
        if (same_table && abbreviates(own, last(key.name))) return 0;
        return std::min(edit_distance(name, key.name), 1 + edit_distance(own, last(key.name)));
    };
    const Key* nearest = nullptr;
    auto least = std::make_pair(std::clamp<std::size_t>(own.size() / 2, 1, 3),
                                std::numeric_limits<std::size_t>::max());
    for (const Key& key : all_keys()) {
        const auto found = std::make_pair(unlike(key), edit_distance(name, key.name));
        if (found >= least) continue;
        least = found;
        nearest = &key;
    }
    if (nearest == nullptr) return std::nullopt;
    return nearest->name;
}

std::string did_you_mean(const std::string& name) {
    const auto key = nearest_key(name);
    return key ? fmt::format("did you mean {}? ", *key) : "";
}

Config default_config() {
    Config config{};
    for (const Key& key : all_keys())
        std::visit(Overloaded{
                       [&](const ChoiceKey& k) { k.set(config, k.standard); },
                       [&](const auto& k) { k.member(config) = k.standard; },
                   },
                   key.type);
    return config;
}

std::string what_fits(const Key& key) {
    return std::visit(Overloaded{
                          [](const IntegerKey& k) {
                              return fmt::format("{} from {} to {}",
                                                 k.power_of_two ? "a power of two" : "an integer",
                                                 k.lowest, k.highest);
                          },
                          [](const RealKey& k) {
                              return fmt::format("a number from {} to {}", k.lowest, k.highest);
                          },
                          [](const FlagKey&) { return std::string("true or false"); },
                          [](const TextKey&) { return std::string("a string"); },
                          [](const ChoiceKey& k) {
                              std::string names;
                              for (std::size_t i = 0; i < k.names.size(); ++i)
                                  names += fmt::format("{}\"{}\"",
                                                       i == 0                    ? ""
                                                       : i + 1 == k.names.size() ? " or "
                                                                                 : ", ",
                                                       k.names[i]);
                              return names;
                          },
                      },
                      key.type);
}

std::vector<std::string> values_of(const Key& key) {
    if (const auto* choice = std::get_if<ChoiceKey>(&key.type)) return choice->names;
    if (std::holds_alternative<FlagKey>(key.type)) return {"true", "false"};
    return {};
}

std::string value_text(const Key& key, const Config& config) {
    auto& c = const_cast<Config&>(config);  // members are handed out writable, and only read here
    return std::visit(Overloaded{
                          [&](const IntegerKey& k) { return fmt::format("{}", k.member(c)); },
                          [&](const RealKey& k) { return toml_real(k.member(c)); },
                          [&](const FlagKey& k) { return fmt::format("{}", k.member(c)); },
                          [&](const TextKey& k) { return toml_string(k.member(c)); },
                          [&](const ChoiceKey& k) { return toml_string(k.names[k.get(c)]); },
                      },
                      key.type);
}

}  // namespace symsim
