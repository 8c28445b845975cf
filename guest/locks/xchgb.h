// SPDX-License-Identifier: MIT
#pragma once

// Test-and-set (TAS): spins with xchgb. ALL section 4.2, Figures 4.1 to 4.3.
// Idea: exchange until it succeeds; whoever exchanges first after a release has the lock.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       xchgb without end; each writes memory and invalidates all copies even if
//                      nothing changes (claim ALL-42); enough spinners fill the bus (ALL-43, 44)
//   handoff            only the next spinner's xchgb, the fastest there is (ALL-52); but the
//   release
//                      queues for the line after the spinners' exchanges
//
// Fairness: the bus serves the exchanges one after the other, fairer than at random (ALL-59).
// Limits: none. Order: ordering.h rule 4.

#include "word-base.h"
#define LOCK_NAME "xchgb"
#define LOCK_ALIAS "tas"

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    unsigned char taken = 1;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    __asm__ volatile(TAKE_OR_WAIT("1: xchgb %[taken], %[word]     \n"
                                  "   testb %[taken], %[taken]    \n"
                                  "   jnz 1b                      \n"
                                  "   jmp 0b                      ")
                     : [taken] "+q"(taken), [word] "+m"(lock->word)
                     :
                     : "memory", "cc");
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
