// SPDX-License-Identifier: MIT
#pragma once

// A lock on a single word whose waiting is a C function: lock_wait(), which the lock's file defines
// and which runs after a failed exchange.

#include "word-base.h"

// Waits for the lock; the caller has it on return.
static SPIN_FUNCTION void lock_wait(struct lock* lock);

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    if (exchange_byte(&lock->word, 1) != 0) lock_wait(lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
