// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set whose holder is not preempted: TAS-no-preempt of WKS section 4.1.
// Idea: a process refuses to be preempted before each exchange, and allows it while it waits.
//
//   refuses ── xchgb reads 0 ──▶ holds, not preempted ── release ──▶ allows, yields if warned
//      ▲  └── xchgb reads 1 ──▶ allows, yields if warned, reads until the word is 0 ──┐
//      └──────────────────────────────────────────────────────────────────────────────┘
//
// Who waits for whom: waiters for the holder, which runs for as long as the kernel's extension, and
// no process waits for another waiter. Fairness: none, as xchgb.h. Order: ordering.h rule 4.

#include "preemption.h"

#define lock_release word_release
#define lock_try word_try
#include "word-base.h"
#undef lock_release
#undef lock_try

#define LOCK_NAME "read-no-preempt"
#define LOCK_ALIAS "tas-no-preempt"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    do {
        preemption_allow();
        while (lock->word != 0) {
        }
        preemption_refuse();
    } while (exchange_byte(&lock->word, 1) != 0);
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    preemption_refuse();
    if (exchange_byte(&lock->word, 1) != 0) lock_wait(lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    preemption_refuse();
    if (word_try(lock, slot)) return true;
    preemption_allow();
    return false;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    word_release(lock, slot);
    preemption_allow();
    PROBE(PROBE_LOCK_RELEASED, lock);
}
