// SPDX-License-Identifier: MIT
#pragma once

// The synchronisation bus of machines with sync_bus.present, such as the SGI 4D/480: one-bit locks
// in hardware, on a bus of their own. Each lock is a dword, which ring 3 may access too. An
// operation takes 1 to 2 us, uses no cycle of the main bus, and begins when the processor's earlier
// stores are complete. No cache has these dwords.

#include <stdbool.h>
#include <stdint.h>

#define SYNC_BUS 0xCA000000   // lock n is at SYNC_BUS + 4 * n
#define SYNC_BUS_LOCKS 65536  // sync_bus.locks of the SGI 4D/480

static inline volatile uint32_t* sync_lock(unsigned n) {
    return (volatile uint32_t*)SYNC_BUS + n;
}
// Sets the lock. True if it was set before.
static inline bool sync_test_and_set(volatile uint32_t* lock) {
    uint32_t before = *lock;
    __asm__ volatile("" ::: "memory");
    return before != 0;
}
static inline void sync_clear(volatile uint32_t* lock) {
    __asm__ volatile("" ::: "memory");
    *lock = 0;
}
