// SPDX-License-Identifier: MIT
#pragma once

// MCS with compare-and-swap, the 486's cmpxchg (mcs-queue.h has the paper).
// Idea: the last leaves only if it still is the last, else it waits for the next to tell.
//
// Bus ledger (write-through): as mcs.h, with a locked cmpxchgl for the release that nobody waits
// for.
//
// Fairness: first come, first served. Limits: the slot stays where it is until the release. Order:
// ordering.h rule 4 and 2.

#define LOCK_ISA i486

#include "atomic486.h"
#include "mcs-queue.h"

#define LOCK_NAME "mcs-cas"

static inline bool queue_leave(struct lock* lock, struct lock_slot* slot) {
    if (compare_exchange_word(&lock->tail, (uintptr_t)slot, 0)) return true;
    queue_wait_for_next(slot);
    return false;
}

static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    slot->next = NULL;
    if (lock->tail != 0 || !compare_exchange_word(&lock->tail, 0, (uintptr_t)slot)) return false;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}
