// SPDX-License-Identifier: MIT
#pragma once

// The performance monitor of machines with monitor.present: counts of this processor alone, from
// the start of the run. Counts wrap around after 32 bits, so a difference of two is right up to
// 4294967295. An access takes monitor.read_ns (1 us), uses no cycle of the bus, and begins when the
// processor's earlier stores are complete: these are counted. A thread that migrates between two
// reads has the counts of two processors.

#include <stdint.h>

#include "cpu.h"

#define MONITOR_CACHE_MISSES 0xCB000000  // reads and fetches that went beyond this cache
#define MONITOR_FAR_MISSES 0xCB000004    // those that went beyond this node
#define MONITOR_STORES 0xCB000008        // stores that went beyond this cache
#define MONITOR_WAITED_NS 0xCB00000C     // from requests to data; of stores, to their grants
#define MONITOR_NODE 0xCB000010          // write: a physical address; read: its node
#define MONITOR_RANGE 0xCB000014         // write: the first physical address of a range
#define MONITOR_LINES 0xCB000018         // write: its bytes; read: its lines in this cache

#define MONITOR_NO_NODE 0xFFFFFFFF  // there is no memory at the address

static inline uint32_t monitor_cache_misses(void) {
    return read_register(MONITOR_CACHE_MISSES);
}
static inline uint32_t monitor_far_misses(void) {
    return read_register(MONITOR_FAR_MISSES);
}
static inline uint32_t monitor_stores(void) {
    return read_register(MONITOR_STORES);
}
static inline uint32_t monitor_waited_ns(void) {
    return read_register(MONITOR_WAITED_NS);
}
// The node whose memory has the address. With paging, the address must be mapped to itself. Two
// accesses: an interrupt handler that calls it too may come in between.
static inline uint32_t monitor_node_of(const void* address) {
    *(volatile uint32_t*)MONITOR_NODE = (uintptr_t)address;
    return read_register(MONITOR_NODE);
}
// How many lines of the range are in this processor's cache, as no machine can tell: for
// experiments that judge estimates of it. With paging, the range must be mapped to itself. Three
// accesses, as above.
static inline uint32_t monitor_lines_of(const void* first, uint32_t bytes) {
    *(volatile uint32_t*)MONITOR_RANGE = (uintptr_t)first;
    *(volatile uint32_t*)MONITOR_LINES = bytes;
    return read_register(MONITOR_LINES);
}
