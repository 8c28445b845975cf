// SPDX-License-Identifier: MIT
#pragma once

// Spins for a fixed time, then blocks: fixed spin of Karlin et al. 1991 (paper: blocking.h).
// Idea: test-and-test-and-set for LOCK_SPIN_US, then the waiter sleeps until a release wakes it.
//
// spin-then-block-7 spins for 7 us, with 0 it blocks at once; spin-then-block alone for twice the
// cost of a context switch. State diagram: blocking.h.
//
// Who waits for whom: a waiter for the holder, which may be preempted; a waiter that sleeps also
// for the kernel to run it again. Fairness: none; sleepers are woken in the order of their arrival,
// but spinners may take the lock first. Limits: locks must be in shared memory. Order: ordering.h
// rule 4.

#include "blocking.h"

#ifndef LOCK_NAME
#define LOCK_NAME "spin-then-block"
#endif
#define LOCK_PARAMETER LOCK_SPIN_US 0 500
#ifndef LOCK_SPIN_US
#define LOCK_SPIN_US TWO_SWITCHES_US
#endif

static inline uint32_t block_limit_us(struct lock* lock) {
    (void)lock;
    return LOCK_SPIN_US;
}

static inline void block_waited(struct lock* lock, uint32_t waited_us) {
    (void)lock, (void)waited_us;
}
