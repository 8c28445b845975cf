// SPDX-License-Identifier: MIT
#pragma once

// Test-and-set: spins with xchgb. Say here in one sentence what your lock is.
// Idea: after a failed exchange, exchange again at once. Change lock_wait() to your idea.
//
// Bus ledger (write-through): what each of these sends over the bus.
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       xchgb without a pause
//   handoff            the first xchgb after the release
//
// Fairness: none. Limits: none.

#include "word.h"  // the word, lock_acquire, lock_try and lock_release, with their probe points

#define LOCK_NAME "@NAME@"

// Runs only if the first exchange has failed, and returns with the lock. SPIN_FUNCTION makes its
// time count as "spin".
static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    while (exchange_byte(&lock->word, 1) != 0) {
    }
}
