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
//                      the winner 1 more read miss: 4 transactions each. ALL section 4.3 has order
//                      P^2, a miss of all readers per failed xchgb. Here reads of the locked line
//                      wait until the xchgbs are done (claim ALL-56 fails)
//
// Fairness: as xchgb.h. Limits: none. Order: ordering.h rule 4.

#include "word-base.h"
#define LOCK_NAME "read"
#define LOCK_ALIAS "ttas"

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    unsigned char taken = 1;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    __asm__ volatile(
        TAKE_OR_WAIT("1: cmpb $0, %[word]            \n"  // in the cache while the lock is held
                     "   jne 1b                      \n"
                     "   xchgb %[taken], %[word]     \n"
                     "   testb %[taken], %[taken]    \n"
                     "   jnz 1b                      \n"
                     "   jmp 0b                      ")
        : [taken] "+q"(taken), [word] "+m"(lock->word)
        :
        : "memory", "cc");
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
