// SPDX-License-Identifier: MIT
// The keys of the table [nodes], for machine.interconnect = "nodes".
#include "sim/config/make_key.h"

namespace symsim {

std::vector<Key> nodes_keys() {
    return {
        {"nodes.count", "nodes", IntegerKey{MEMBER(nodes, count), 4, 1, 32},
         "Nodes on the rings; only with machine.interconnect = nodes, as all keys of [nodes]."},
        {"nodes.node_processors", "", IntegerKey{MEMBER(nodes, node_processors), 8, 1, 8, true},
         "Processors that a node can have. Processor n is in node n / nodes.node_processors; the "
         "last nodes may have fewer, or none."},
        {"nodes.inside", "",
         choice<NodeInside>(MEMBER(nodes, inside), NodeInside::crossbar, {"crossbar", "bus"}),
         "What connects the processors of a node with its memory: a path for each, or one bus."},
        {"nodes.placement", "",
         choice<Placement>(MEMBER(nodes, placement), Placement::first_touch,
                           {"first-touch", "interleaved", "by-address", "follows-owner"}),
         "Which node's memory has a page: that of the first processor that uses it; each node's in "
         "turn; memory is divided into equal parts, node 0 first; or memory consists of caches, "
         "and each block is where its owner is."},
        {"nodes.page_bytes", "bytes", IntegerKey{MEMBER(nodes, page_bytes), 4096, 256, 65536, true},
         "Size of a page for nodes.placement."},
        {"nodes.block_bytes", "bytes", IntegerKey{MEMBER(nodes, block_bytes), 64, 8, 128, true},
         "Size of a block: what a network cache keeps and a message carries; 1, 2 or 4 lines of "
         "the caches."},
        {"nodes.network_cache_kb", "KB",
         IntegerKey{MEMBER(nodes, network_cache_kb), 4096, 1, 65536, true},
         "Size of a node's network cache, the part of its memory that keeps copies of other nodes' "
         "blocks."},
        {"nodes.network_cache_ways", "",
         IntegerKey{MEMBER(nodes, network_cache_ways), 1, 1, 16, true},
         "Blocks per set of a network cache; a new one evicts the least recently used one."},
        {"nodes.lookup_cycles", "bus cycles", IntegerKey{MEMBER(nodes, lookup_cycles), 0, 0, 256},
         "Cycles from the arrival of a request at its node's controller until the controller asks "
         "the home, if the node does not have the block."},
        {"nodes.home_buffer", "requests", IntegerKey{MEMBER(nodes, home_buffer), 256, 1, 256},
         "Requests of other nodes that can wait at a home. One that finds no room goes round its "
         "ring once more."},
        {"nodes.rings", "rings", IntegerKey{MEMBER(nodes, rings), 1, 1, 4, true},
         "Rings side by side; blocks are interleaved over them."},
        {"nodes.ring_bytes_per_cycle", "bytes",
         IntegerKey{MEMBER(nodes, ring_bytes_per_cycle), 8, 1, 64},
         "Bytes that a link of a ring takes in a bus cycle."},
        {"nodes.ring_header_bytes", "bytes",
         IntegerKey{MEMBER(nodes, ring_header_bytes), 16, 1, 64},
         "Bytes of a message without its block."},
        {"nodes.ring_hop_cycles", "bus cycles",
         IntegerKey{MEMBER(nodes, ring_hop_cycles), 1, 1, 64},
         "Cycles for the head of a message from one node to the next."},
        {"nodes.ring_interface_cycles", "bus cycles",
         IntegerKey{MEMBER(nodes, ring_interface_cycles), 0, 0, 256},
         "Cycles for a message to enter its ring, and as many to leave it."},
    };
}

}  // namespace symsim
