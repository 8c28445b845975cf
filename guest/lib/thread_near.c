// SPDX-License-Identifier: MIT

#include "monitor.h"
#include "thread_place.h"
#include "topology.h"

thread_place thread_near(const void* address) {
    if (topology_nodes() == 1) return THREAD_ANYWHERE;
    const unsigned node = monitor_node_of(address);
    return node != MONITOR_NO_NODE ? thread_on_node(node) : THREAD_ANYWHERE;
}
