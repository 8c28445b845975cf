// SPDX-License-Identifier: MIT
#pragma once

// Backoff after every busy read: ALL section 4.4.
// Idea: wait a random while between any two looks at the word, so that most waiters sleep through
// a release and the acquisition that follows it. Delays: delay.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       1 read miss per look, if the word changed since the last; fewer than the two
//                      per section of backoff.h once the mean exceeds a section (ALL-58); stores to
//                      its own past as there
//   hand-over          1 read miss and 1 xchgb of the next who looks; until then the lock is idle
//
// Fairness: against those who have waited long, whose delays have grown (ALL-59). Limits: 64
// processors. Order: ordering.h rule 4.

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
