// SPDX-License-Identifier: MIT
#pragma once

// Static delay after every reference (static-delay.h has the paper).
// Idea: wait for one's slot between any two looks at the word, so that of many waiters few look
// while the lock changes hands.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       1 read miss per look, if the word changed since the last
//   hand-over          1 read miss and 1 xchgb of the next who looks; until then the lock is idle
//
// Fairness: for low slots, which look more often, against high ones. Limits: 64 processors. Order:
// ordering.h rule 4.

#include "static-delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "static-every"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    unsigned slot = delay_slot();
    do delay_static(slot);
    while (lock->word != 0 || exchange_byte(&lock->word, 1) != 0);
}
