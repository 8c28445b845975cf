// SPDX-License-Identifier: MIT
#pragma once

// MCS without compare-and-swap (mcs-queue.h has the paper; the release of its section 2.4).
// Idea: to leave, the last exchanges the tail for none. If others had joined behind it, the lock
// was free for a moment: it puts the old tail back, and who came meanwhile goes first.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgl, 1 store
//   release            1 xchgl if nobody waits, else the hand-over
//   each spinner       2 stores and nothing more
//   hand-over          1 store, 1 read miss of the one waiter it concerns, 1 of `next` before
//
// Fairness: first come, first served, unless one comes while the last leaves (queue_leave): it then
// overtakes those who were joining. Limits: the slot stays where it is until the release; no
// lock_try, as graunke-thakkar.h says. Order: ordering.h rule 4 and 2.

#include "mcs-queue.h"

#define LOCK_NAME "mcs"
#define LOCK_HAS_TRY 0

static inline bool queue_leave(struct lock* lock, struct lock_slot* slot) {
    uintptr_t last = exchange_word(&lock->tail, 0);
    if (last == (uintptr_t)slot) return true;
    // Our next to `last` are cut off; others may have found no tail, and have the lock.
    uintptr_t usurper = exchange_word(&lock->tail, last);
    queue_wait_for_next(slot);
    if (usurper == 0) return false;
    ((struct lock_slot*)usurper)->next = slot->next;
    return true;
}
