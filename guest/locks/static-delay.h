// SPDX-License-Identifier: MIT
#pragma once

// Static delays: a processor's delay in microseconds is its slot, which its number determines.
// Source: T. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory
// Multiprocessors", IEEE TPDS 1(1), 1990, section on delays.

#include "cpu.h"
#include "turns.h"

#ifndef LOCK_SLOTS
#define LOCK_SLOTS 64
#endif

_Static_assert(LOCK_SLOTS >= 1 && LOCK_SLOTS <= MAX_PROCESSORS, "1 to 64 slots");

static inline __attribute__((always_inline)) unsigned delay_slot(void) {
    return this_cpu()->number % LOCK_SLOTS;
}

static inline __attribute__((always_inline)) void delay_static(unsigned slot) {
    if (slot != 0) delay_slots(slot);
}
