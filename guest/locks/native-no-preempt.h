// SPDX-License-Identifier: MIT
#pragma once

// The native lock of the SGI 4D/480 whose holder is not preempted: Native-no-preempt of WKS section
// 4.1. Idea: a process refuses to be preempted before each test-and-set, and allows it between two.
//
//   refuses ── test-and-set reads 0 ──▶ holds, not preempted ── release ──▶ allows, yields
//      ▲  └── test-and-set reads 1 ──▶ allows, yields ──┐             if warned
//      └───────────────────────────────────────────────┘
//
// Who waits for whom: waiters for the holder, which runs for as long as the kernel's extension, and
// no process waits for another waiter. Fairness, limits and order: native.h.

#define lock_acquire native_acquire
#define lock_release native_release
#define lock_try native_try
#include "native.h"
#undef lock_acquire
#undef lock_release
#undef lock_try
#undef LOCK_NAME
#undef LOCK_SPECIAL
#include "preemption.h"

#define LOCK_NAME "native-no-preempt"

static SPIN_FUNCTION void native_wait(volatile uint32_t* bit) {
    do {
        preemption_allow();
        preemption_refuse();
    } while (sync_test_and_set(bit));
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    volatile uint32_t* bit = lock_bit(lock);
    preemption_refuse();
    if (sync_test_and_set(bit)) native_wait(bit);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    preemption_refuse();
    if (native_try(lock, slot)) return true;
    preemption_allow();
    return false;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    native_release(lock, slot);
    preemption_allow();
    PROBE(PROBE_LOCK_RELEASED, lock);
}
