// SPDX-License-Identifier: MIT
#pragma once

// MCS queue lock with compare_and_swap of process.h, as WKS measured it (Queued, section 4.1).
// Idea: as mcs-cas.h; where the processor has no such instruction, it is done in software.
//
// Who waits for whom: each waiter for its predecessor in the queue, even if that is preempted.
// Fairness: FIFO. Limits: slots must be in shared memory and not move until the release; no
// lock_try. Order: ordering.h rules 4 and 2.

#include "process.h"

#define QUEUE_EXCHANGE fetch_and_store
#include "mcs-queue.h"

#define LOCK_NAME "queued"
#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"
#define LOCK_FIFO arrival
#define LOCK_HAS_TRY 0

static inline bool queue_leave(struct lock* lock, struct lock_slot* slot) {
    PROBE(PROBE_LOCK_RELEASE, lock);
    if (compare_and_swap(&lock->tail, (uintptr_t)slot, 0)) return true;
    queue_wait_for_next(slot);
    return false;
}
