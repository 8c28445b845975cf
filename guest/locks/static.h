// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set with a static delay after a release (paper: static-delay.h).
// Idea: a waiter that reads the lock free waits for its slot and reads again before its xchgb. If
// each processor has a slot of its own, only the first of them exchanges.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       none while the lock is held
//   handoff            each spinner: 2 read misses, one that sees the release and one after its
//                      slot that sees the acquisition; 1 xchgb by each of those that share the
//                      first slot. The delay is the lowest slot among the spinners: long if only
//                      few of many slots are taken. With 1 slot: read.h with a second read
//
// Fairness: low slots are favoured; high slots starve while lower ones keep coming. Limits: 64
// processors. Order: ordering.h rule 4.

#include "static-delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "static"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    unsigned slot = delay_slot();
    do {
        while (lock->word != 0) {
        }
        delay_static(slot);
    } while (lock->word != 0 || exchange_byte(&lock->word, 1) != 0);
}
