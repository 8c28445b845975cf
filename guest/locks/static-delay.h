// SPDX-License-Identifier: MIT
#pragma once

// Static delays: a processor's delay in us is its slot, which its number determines (T. Anderson,
// IEEE TPDS 1(1), 1990, section on delays). static-7 has 7 slots, static alone 64.

#include "cpu.h"
#include "turns.h"

#define LOCK_PARAMETER LOCK_SLOTS 1 4 16 64
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
