// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set with backoff after every busy read: ALL section 4.4.
// Idea: wait a random delay between any two reads of the word. Most waiters are in a delay during a
// release and the acquisition that follows it. Delays: delay.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       1 read miss per read, if the word has changed since its last; fewer than the
//                      two per section of backoff.h once the mean delay exceeds a section (claim
//                      ALL-58)
//   handoff            1 read miss and 1 xchgb by the next to read; until then the lock is idle
//
// Fairness: unfair to processors that have waited long, whose delays have grown (claim ALL-59).
// Limits: none. Order: ordering.h rule 4.

#include "delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "backoff-every"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    struct delay delay = delay_begin();
    for (;;) {
        DELAY_UNITS(delay_draw(&delay));
        if (lock->word == 0 && exchange_byte(&lock->word, 1) == 0) return;
        delay_failed(&delay);
    }
}
