// SPDX-License-Identifier: MIT
#pragma once

// MCS queue lock without compare-and-swap (paper: mcs-queue.h; release: its section 2.4).
// Idea: the last holder exchanges the tail for 0. If others had joined, the lock was free for a
// moment: the holder puts the old tail back, and those who came in between go first.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgl, 1 store
//   release            1 xchgl if nobody waits, else the handoff
//   each spinner       2 stores, and nothing more
//   handoff            1 read miss of `next`, 1 store, 1 read miss by the next holder
//
// Fairness: FIFO, but a processor that comes during queue_leave() may be first. Limits: slots must
// not move until the release; no lock_try (see graunke-thakkar.h). Order: ordering.h rules 4 and 2.

#include "mcs-queue.h"

#define LOCK_NAME "mcs"
#define LOCK_FIFO arrival
#define LOCK_USURPER 1
#define LOCK_HAS_TRY 0

static inline bool queue_leave(struct lock* lock, struct lock_slot* slot) {
    uintptr_t last = release_exchange(lock, &lock->tail, 0);
    if (last == (uintptr_t)slot) return true;
    // Our successors up to `last` are cut off. A newcomer may have found tail 0 and have the lock.
    uintptr_t usurper = exchange_word(&lock->tail, last);
    queue_wait_for_next(slot);
    if (usurper == 0) return false;
    ((struct lock_slot*)usurper)->next = slot->next;
    return true;
}
