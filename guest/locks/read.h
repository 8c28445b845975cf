// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set (TTAS): ALL section 4.2, Figures 4.1 to 4.3; the Symmetry's library lock.
// Idea: spin by reading the word in one's own cache, and exchange only when it reads as free.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       none while the lock is held
//   handoff            each spinner: 1 read miss that sees the release, 1 xchgb, and for all but
//                      the winner 1 more read miss: 5 transactions each. ALL section 4.3 has order
//                      P^2, a miss of all readers per failed xchgb. Here reads of the locked line
//                      wait until the xchgbs are done (claim ALL-56 fails)
//
// Fairness: as xchgb.h. Limits: none. Order: ordering.h rule 4.

#include "word.h"
#define LOCK_NAME "read"
#define LOCK_ALIAS "ttas"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    do {
        while (lock->word != 0) {
        }
    } while (exchange_byte(&lock->word, 1) != 0);
}
