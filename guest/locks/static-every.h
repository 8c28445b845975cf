// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set with a static delay after every reference (paper: static-delay.h).
// Idea: wait for one's own slot between any two reads of the word, so that few of many waiters read
// it during a handoff.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       1 read miss per read, if the word has changed since its last
//   handoff            1 read miss and 1 xchgb by the next to read; until then the lock is idle
//
// Fairness: processors with low slots read more often and are favoured over those with high slots.
// Limits: 64 processors. Order: ordering.h rule 4.

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
