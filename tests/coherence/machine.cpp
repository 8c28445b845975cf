// SPDX-License-Identifier: MIT
// Chooses the options of a round's machine by its seed.
#include "tests/coherence/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace symsim::test {

RoundConfig random_round(std::uint64_t seed, const Protocol& protocol, StorePolicy policy) {
    Random random(seed);
    RoundConfig round;
    round.seed = seed;
    round.ports = random.pick(std::array{2u, 2u, 3u, 4u, 5u, 8u, 13u, 20u});
    round.pages = 1 + random.below(kPages);
    round.lines = 1 + random.below(3);
    round.last_page_is_code = random.one_in(2);
    round.longest_pause_clocks = random.pick(std::array{0u, 3u, 20u, 200u});
    round.accesses_per_port = 8'000 / round.ports;

    ControllerConfig& cache = round.cache;
    cache.geometry.line_bytes = random.pick(std::array{4u, 8u, 16u, 32u});
    cache.geometry.ways = random.pick(std::array{1u, 2u, 4u});
    const std::uint32_t sets = random.pick(std::array{1u, 2u, 4u});
    cache.geometry.size_bytes = cache.geometry.line_bytes * cache.geometry.ways * sets;
    cache.processor_period = random.pick(std::array<Time, 4>{62'500, 62'500, 40'000, 100'000});
    cache.processors = round.ports;
    cache.hit_wait_clocks = random.below(3);
    cache.bus.store_completion_cycles = 1 + random.below(12);
    cache.upgrade_completion_cycles = 1 + random.below(4);
    cache.store_policy = policy;
    cache.write_buffer_depth = random.pick(std::array{1u, 4u});
    // Depth 0 means `stall`, whatever the policy is.
    if (policy == StorePolicy::stall && random.one_in(2)) {
        cache.write_buffer_depth = 0;
        cache.store_policy = random.pick(
            std::array{StorePolicy::stall, StorePolicy::buffered, StorePolicy::block_port});
    }

    InterconnectConfig& bus = round.bus;
    bus.clock_mhz = random.pick(std::array{10.0, 10.0, 16.0});
    cache.bus.clock_mhz = bus.clock_mhz;
    bus.lines_have_owners = protocol.lines_have_owners();
    bus.line_bytes = cache.geometry.line_bytes;
    bus.width_bytes = random.pick(std::array{4u, 8u});
    bus.arbitration_cycles = random.below(3);
    bus.request_cycles = 1 + random.below(2);
    bus.store_cycles = 1 + random.below(4);
    bus.unlock_cycles = 1 + random.below(2);
    bus.synchronise_cycles = random.below(3);
    bus.memory.latency_cycles = random.below(9);
    bus.line_unavailable_cycles = random.pick(std::array{0u, 0u, 5u, 30u});
    bus.owner_supply_cycles = random.below(3);
    bus.locked_request = random.pick(std::array{LockedRequest::skip, LockedRequest::bypass,
                                                LockedRequest::keep_turn, LockedRequest::hold_bus});
    bus.locked_class =
        random.pick(std::array{LockedClass::same, LockedClass::same, LockedClass::low});
    bus.arbitration = random.pick(std::array{Arbitration::round_robin, Arbitration::round_robin,
                                             Arbitration::oldest, Arbitration::fixed});
    bus.memory.controllers = random.pick(std::array{1u, 2u, 4u});
    bus.memory.read_busy_cycles = random.pick(std::array{0u, 0u, 3u, 9u});
    bus.memory.store_busy_cycles = random.pick(std::array{0u, 0u, 4u, 12u});
    bus.filter_snoops = random.one_in(2);
    round.exchanges =
        protocol.has_own_lines() && !protocol.lines_have_owners() && !random.one_in(4);
    // By the seed itself, so that the other options of a seed stay.
    round.crossbar = seed % 4 == 0;
    if (round.crossbar) {
        if (bus.locked_request == LockedRequest::hold_bus) bus.locked_request = LockedRequest::skip;
        bus.memory.read_busy_cycles = bus.memory.store_busy_cycles = 0;
    }
    return round;
}

RoundConfig random_round_on_nodes(std::uint64_t seed, const Protocol& protocol,
                                  StorePolicy policy) {
    RoundConfig round = random_round(seed, protocol, policy);
    Random random(seed ^ 0x6e6f'6465'7300'0000);  // other numbers than those of the rest
    round.crossbar = round.exchanges = false;
    round.on_nodes = true;

    NodeMachineConfig& nodes = round.nodes;
    static_cast<InterconnectConfig&>(nodes) = round.bus;
    nodes.filter_snoops = false;
    nodes.count = random.pick(std::array{1u, 2u, 2u, 3u, 4u, 5u, 8u});
    nodes.node_processors = random.pick(std::array{1u, 1u, 2u, 2u, 4u, 8u});
    const std::uint32_t room = nodes.count * nodes.node_processors;
    round.ports = random.one_in(2) ? room : 1 + random.below(room);
    round.cache.processors = round.ports;
    round.accesses_per_port = std::max(8'000 / round.ports, 1u);
    nodes.inside = random.one_in(2) ? NodeInside::bus : NodeInside::crossbar;
    nodes.placement = random.pick(std::array{Placement::first_touch, Placement::interleaved,
                                             Placement::by_address, Placement::follows_owner});
    nodes.page_bytes = random.pick(std::array{256u, 4096u});
    nodes.block_bytes = std::max(8u, nodes.line_bytes * random.pick(std::array{1u, 2u, 4u}));
    nodes.network_cache_ways = random.pick(std::array{1u, 1u, 2u, 4u});
    nodes.network_cache_bytes =
        nodes.block_bytes * nodes.network_cache_ways * random.pick(std::array{1u, 1u, 2u, 4u});
    nodes.lookup_cycles = random.below(4);
    nodes.home_buffer = random.one_in(2) ? 1 : 256;
    nodes.rings = random.pick(std::array{1u, 2u, 4u});
    nodes.ring_bytes_per_cycle = random.pick(std::array{1u, 4u, 16u});
    nodes.ring_header_bytes = random.pick(std::array{4u, 8u});
    nodes.ring_hop_cycles = random.below(4);
    nodes.ring_interface_cycles = random.below(4);
    return round;
}

std::string RoundConfig::text() const {
    const std::string of_nodes = fmt::format(
        "nodes: {} of {}, inside {}, placement {} of {} bytes, blocks of {}, network "
        "cache of {} bytes\n       in {} ways, lookup {}, home buffer {}, {} rings of {} "
        "bytes, header {}, hop {}, interface {}\n",
        nodes.count, nodes.node_processors, index(nodes.inside), index(nodes.placement),
        nodes.page_bytes, nodes.block_bytes, nodes.network_cache_bytes, nodes.network_cache_ways,
        nodes.lookup_cycles, nodes.home_buffer, nodes.rings, nodes.ring_bytes_per_cycle,
        nodes.ring_header_bytes, nodes.ring_hop_cycles, nodes.ring_interface_cycles);
    return (on_nodes ? of_nodes : "") +
           fmt::format(
               "seed {}: {} ports, {} pages of twice {} lines, pauses up to {} clocks of {} ps\n"
               "cache: {} bytes, {} ways, lines of {}, buffer of {}, store policy {}, completion "
               "{} and "
               "{}\n"
               "{}: period {} ps, arbitration {} ({} cycles), locked request {}, class {}, store "
               "{},\n"
               "     unlock {}, owner {} more, synchronise {}, line unavailable {}, filter {}\n"
               "memory: latency {}, {} controllers, busy {} for a read and {} for a store\n",
               seed, ports, pages, lines, longest_pause_clocks, cache.processor_period,
               cache.geometry.size_bytes, cache.geometry.ways, cache.geometry.line_bytes,
               cache.write_buffer_depth, index(cache.store_policy),
               cache.bus.store_completion_cycles, cache.upgrade_completion_cycles,
               crossbar ? "crossbar" : "bus", bus.period(), index(bus.arbitration),
               bus.arbitration_cycles, index(bus.locked_request), index(bus.locked_class),
               bus.store_cycles, bus.unlock_cycles, bus.owner_supply_cycles, bus.synchronise_cycles,
               bus.line_unavailable_cycles, bus.filter_snoops, bus.memory.latency_cycles,
               bus.memory.controllers, bus.memory.read_busy_cycles, bus.memory.store_busy_cycles);
}

}  // namespace symsim::test
