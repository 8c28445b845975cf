// SPDX-License-Identifier: MIT
#pragma once

// Where this machine's processors are: on nodes with memory of their own (topology.h), or all on
// one.

#if __has_include("topology.h")
#include "topology.h"
#else  // TODO: until topology.h is there
static inline unsigned topology_nodes(void) {
    return 1;
}
static inline unsigned topology_node(unsigned processor) {
    (void)processor;
    return 0;
}
#endif
