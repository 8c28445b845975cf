// SPDX-License-Identifier: MIT
#pragma once

// MCS queue lock with compare-and-swap, the 486's cmpxchg (paper: mcs-queue.h).
// Idea: the holder empties the queue only if it is still the last; else it waits for its successor.
//
// Bus ledger (write-through): as mcs.h, but the release of a lock without waiters is a locked
// cmpxchgl.
//
// Limits: the slot must not move until the release. Order: ordering.h rules 4 and 2.

#define LOCK_ISA i486

#include "atomic486.h"
#include "mcs-queue.h"

#define LOCK_NAME "mcs-cas"
#define LOCK_FIFO arrival

// compare_exchange_word, marked as a release.
static inline bool queue_empty(struct lock* lock, struct lock_slot* slot) {
    bool same;
    uintptr_t expected = (uintptr_t)slot;
    __asm__ inline volatile(
        PROBE_RECORD(PROBE_LOCK_RELEASE, "%[lock]") "lock cmpxchgl %[empty], %[tail]"
        : "=@ccz"(same), [tail] "+m"(lock->tail), "+a"(expected)
        : [empty] "r"(0), [lock] "ior"(lock)
        : "memory");
    return same;
}

static inline bool queue_leave(struct lock* lock, struct lock_slot* slot) {
    if (queue_empty(lock, slot)) return true;
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
