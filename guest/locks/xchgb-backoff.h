// SPDX-License-Identifier: MIT
#pragma once

// Test-and-set (TAS) with exponential backoff: Mellor-Crummey and Scott, ACM TOCS 9(1), 1991,
// section 2.1, there test_and_set; as T. Anderson, IEEE TPDS 1(1), 1990.
// Idea: exchange; after each failure wait a random delay, whose mean is twice the last one, without
// reading the word in between. Delays: delay.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       1 xchgb per delay, which invalidates all copies
//   handoff            1 xchgb by the processor whose delay ends next; until then the lock is idle
//
// Fairness: unfair to processors that have waited long, whose delays have grown (claim ALL-59).
// Limits: none. Order: ordering.h rule 4.

#include "delay.h"
#include "word.h"

#define LOCK_NAME "xchgb-backoff"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    struct delay delay = delay_begin();
    for (;;) {
        DELAY_UNITS(delay_draw(&delay));
        if (exchange_byte(&lock->word, 1) == 0) return;
        delay_failed(&delay);
    }
}
