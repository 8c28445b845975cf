// SPDX-License-Identifier: MIT
#pragma once

// The native lock of the KSR1 whose holder is not preempted: Native-no-preempt of WKS section 4.1.
// Idea: a process refuses to be preempted before it waits, since the wait is one instruction, which
// no interrupt ends. The kernel's warning comes when it has got the lock.
//
//   refuses ── get ──▶ holds, not preempted ── release ──▶ allows, yields if warned
//
// Who waits for whom: waiters for the holder, which runs for as long as the kernel's extension. A
// waiter keeps its processor beyond its quantum, for as long as it waits. Fairness, limits and
// order: sub-page.h.

#define lock_acquire sub_page_acquire
#define lock_release sub_page_unlock
#include "sub-page.h"
#undef lock_acquire
#undef lock_release
#undef LOCK_NAME
#undef LOCK_SPECIAL
#include "preemption.h"

#define LOCK_NAME "sub-page-no-preempt"

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    preemption_refuse();
    lock_wait(lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    sub_page_unlock(lock, slot);
    preemption_allow();
    PROBE(PROBE_LOCK_RELEASED, lock);
}
