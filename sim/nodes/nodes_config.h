// SPDX-License-Identifier: MIT
// The keys of [nodes], and what a machine of nodes is built from.
#pragma once

#include <cstdint>

#include "sim/base/fields.h"
#include "sim/base/options.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

struct NodesConfig {
    std::uint32_t count = 4;
    std::uint32_t node_processors = 8;
    NodeInside inside = NodeInside::crossbar;
    Placement placement = Placement::first_touch;
    std::uint32_t page_bytes = 4096;  // the unit of placement
    std::uint32_t block_bytes = 64;
    std::uint32_t network_cache_bytes = 4096 << 10;
    std::uint32_t network_cache_ways = 1;
    std::uint32_t lookup_cycles = 0;
    std::uint32_t home_buffer = 256;
    std::uint32_t rings = 1;
    std::uint32_t ring_bytes_per_cycle = 8;
    std::uint32_t ring_header_bytes = 16;
    std::uint32_t ring_hop_cycles = 1;
    std::uint32_t ring_interface_cycles = 0;
};

template <class Visit>
void for_each_field(NodesConfig& nodes, Visit&& visit) {
    visit("count", "nodes", nodes.count, fits::Integers{1, 32},
          "Nodes on the rings; only with machine.interconnect = nodes, as all keys of [nodes].");
    visit("node_processors", "", nodes.node_processors, fits::PowersOfTwo{1, 8},
          "Processors that a node can have. Processor n is in node n / nodes.node_processors; the "
          "last nodes may have fewer, or none.");
    visit("inside", "", nodes.inside, fits::Names{{"crossbar", "bus"}},
          "What connects the processors of a node with its memory: a path for each, or one bus.");
    visit(
        "placement", "", nodes.placement,
        fits::Names{{"first-touch", "interleaved", "by-address", "follows-owner"}},
        "Which node's memory has a page: that of the first processor that uses it; each node's in "
        "turn; memory is divided into equal parts, node 0 first; or memory consists of caches, "
        "and each block is where its owner is.");
    visit("page_bytes", "bytes", nodes.page_bytes, fits::PowersOfTwo{256, 65536},
          "Size of a page for nodes.placement.");
    visit("block_bytes", "bytes", nodes.block_bytes, fits::PowersOfTwo{8, 128},
          "Size of a block: what a network cache keeps and a message carries; 1, 2 or 4 lines of "
          "the caches.");
    visit(
        "network_cache_kb", "KB", nodes.network_cache_bytes,
        fits::PowersOfTwo{1, 65536, /*shift=*/10},
        "Size of a node's network cache, the part of its memory that keeps copies of other nodes' "
        "blocks.");
    visit("network_cache_ways", "", nodes.network_cache_ways, fits::PowersOfTwo{1, 16},
          "Blocks per set of a network cache; a new one evicts the least recently used one.");
    visit("lookup_cycles", "bus cycles", nodes.lookup_cycles, fits::Integers{0, 256},
          "Cycles from the arrival of a request at its node's controller until the controller asks "
          "the home, if the node does not have the block.");
    visit("home_buffer", "requests", nodes.home_buffer, fits::Integers{1, 256},
          "Requests of other nodes that can wait at a home. One that finds no room goes round its "
          "ring once more.");
    visit("rings", "rings", nodes.rings, fits::PowersOfTwo{1, 4},
          "Rings side by side; blocks are interleaved over them.");
    visit("ring_bytes_per_cycle", "bytes", nodes.ring_bytes_per_cycle, fits::Integers{1, 64},
          "Bytes that a link of a ring takes in a bus cycle.");
    visit("ring_header_bytes", "bytes", nodes.ring_header_bytes, fits::Integers{1, 64},
          "Bytes of a message without its block.");
    visit("ring_hop_cycles", "bus cycles", nodes.ring_hop_cycles, fits::Integers{1, 64},
          "Cycles for the head of a message from one node to the next.");
    visit("ring_interface_cycles", "bus cycles", nodes.ring_interface_cycles,
          fits::Integers{0, 256},
          "Cycles for a message to enter its ring, and as many to leave it.");
}

struct NodeMachineConfig : InterconnectConfig, NodesConfig {};

}  // namespace symsim
