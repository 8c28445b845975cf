// SPDX-License-Identifier: MIT
#pragma once

// Spin on read: ALL section 4.2, Figures 4.1 to 4.3; the Symmetry's library lock.
// Idea: read the word in one's own cache until it is free, only then exchange.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       nothing while the lock stays held
//   hand-over          each spinner: 1 read miss that sees the release, then 1 xchgb, which for all
//                      but the first fails, and 1 miss more: 5 transactions each. A failure would
//                      make all who read again miss once more, and the order squared (ALL section
//                      4.3); but reads of the locked line wait behind the exchanges (ALL-56 fails)
//
// Fairness: as xchgb. Limits: none. Order: ordering.h rule 4.

#include "word.h"

#define LOCK_NAME "read"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    do {
        while (lock->word != 0) {
        }
    } while (exchange_byte(&lock->word, 1) != 0);
}
