// SPDX-License-Identifier: MIT
#pragma once

// The machine's nodes: registers of the processor board that never change. A read costs as much as
// a cache hit, and ring 3 may read them where it may read the processor's number. A machine whose
// processors are all equally far from all memory is one node.

#include "cpu.h"

#define BOARD_NODES 0xC8000008                // read: how many nodes there are
#define BOARD_PROCESSORS_PER_NODE 0xC800000C  // read: processors of each node

static inline unsigned topology_nodes(void) {
    return read_register(BOARD_NODES);
}
static inline unsigned topology_processors_per_node(void) {
    return read_register(BOARD_PROCESSORS_PER_NODE);
}
// The node of a processor. Processors with consecutive numbers are in one node.
static inline unsigned topology_node(unsigned processor) {
    return processor / topology_processors_per_node();
}
