// SPDX-License-Identifier: MIT
// A machine of four nodes with two processors each for the tests of its parts. Node n is the home
// of page n. Times are in cycles of the bus.
#pragma once

#include "sim/nodes/memory_banks.h"
#include "sim/nodes/message.h"
#include "sim/nodes/placement.h"
#include "sim/nodes/resources.h"
#include "sim/nodes/ring.h"
#include "sim/nodes/step_queue.h"
#include "tests/support/part_configs.h"
#include "tests/support/recording_observer.h"

namespace symsim::test {

constexpr Time kNodeCycle = 100'000;  // at 10 MHz
constexpr Address kNodePage = 4096;
constexpr std::uint64_t kNodesMemory = 4 * kNodePage;

inline NodeMachineConfig four_nodes() {
    NodeMachineConfig config = test_nodes_config();
    config.clock_mhz = 10.0;
    config.line_bytes = 16;
    config.count = 4;
    config.node_processors = 2;
    config.inside = NodeInside::crossbar;
    config.placement = Placement::by_address;
    config.page_bytes = kNodePage;
    config.block_bytes = 32;
    config.network_cache_bytes = 32;
    config.network_cache_ways = 1;
    config.lookup_cycles = 0;
    config.home_buffer = 256;
    config.memory.controllers = 1;
    config.memory.latency_cycles = 4;
    config.memory.read_busy_cycles = config.memory.store_busy_cycles = 0;
    config.rings = 1;
    config.ring_bytes_per_cycle = 8;
    config.ring_header_bytes = 8;
    config.ring_hop_cycles = 2;
    config.ring_interface_cycles = 3;
    return config;
}

// What directory and nodes are built on.
struct NodeParts {
    explicit NodeParts(const NodeMachineConfig& built_from = four_nodes()) : config(built_from) {}

    NodeMachineConfig config;
    RecordingObserver observer;
    StepQueue steps;
    Resources resources{config, observer};
    PagePlacement placement{config, kNodesMemory};
    MemoryBanks banks{config, resources};
    Ring ring{config, resources, steps};
};

}  // namespace symsim::test
