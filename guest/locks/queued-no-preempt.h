// SPDX-License-Identifier: MIT
#pragma once

// The queue lock of queued.h whose holder is not preempted: Queued-no-preempt of WKS section 4.1.
// Idea: a process refuses to be preempted from the end of its wait to the release.
//
// Who waits for whom: each waiter for its predecessor in the queue, which may be preempted while it
// waits. Fairness: FIFO. Limits and order: as queued.h.

#define lock_acquire queued_acquire
#define lock_release queued_release
#include "queued.h"
#undef lock_acquire
#undef lock_release

#include "preemption.h"

#undef LOCK_NAME
#define LOCK_NAME "queued-no-preempt"

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    queued_acquire(lock, slot);
    preemption_refuse();
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    queued_release(lock, slot);
    preemption_allow();
}
