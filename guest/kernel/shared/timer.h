// SPDX-License-Identifier: MIT
#pragma once

// The SLIC timer as kernels use it for quanta: it counts down from an 8-bit value every 100 us, and
// begins again by itself.

#include "slic.h"
#include "symsim.h"

#define TIMER_US 100
#define TIMER_MOST 256
#define TIMER_RUNS 1

static inline unsigned timer_rounded(unsigned us) {
    return us / TIMER_US + (us % TIMER_US >= TIMER_US / 2);
}

// The argument `name` in units of the timer, which has from `least` to TIMER_MOST.
static unsigned timer_units(const char* name, unsigned us, unsigned least) {
    unsigned chosen = arg_unsigned(name, us);
    unsigned count = timer_rounded(chosen);
    if (count < least || count > TIMER_MOST)
        panic("argument %s: %u us; the timer has %u to %u us", name, chosen, least * TIMER_US,
              TIMER_MOST * TIMER_US);
    return count;
}

static inline void timer_stop(void) {
    slic_write(SLIC_TIMER_CONTROL, 0);
}

static inline void timer_start(unsigned count) {
    slic_write(SLIC_TIMER_RELOAD, count - 1);
    slic_write(SLIC_TIMER_CONTROL, TIMER_RUNS);
}
