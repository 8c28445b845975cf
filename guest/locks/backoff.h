// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set with backoff after a release: ALL sections 4.3, 4.4, Figures 4.1 to 4.3.
// Idea: a waiter that reads the lock free waits a random delay and reads again before its xchgb.
// Usually another one has taken the lock by then, and the waiter saves its xchgb. The mean delay
// grows with each failure of this acquisition, up to a cap; the next one begins with the first
// mean again.
//
// In assembler as the paper's (section 3.6), all in registers. Limits of the mean: delay-limits.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       none while the lock is held
//   handoff            each spinner: 2 read misses, one that sees the release and one that sees the
//                      acquisition (claim ALL-57); 1 xchgb of the winner, and of each spinner whose
//                      delay ends before it can see the acquisition, as the first delays do
//
// Fairness: unfair to processors that have waited long, whose delays have grown (claim ALL-59).
// Limits: none. Order: ordering.h rule 4.

#include "cpu.h"
#include "delay-limits.h"
#include "word-base.h"

#ifndef LOCK_NAME
#define LOCK_NAME "backoff"
#endif

_Static_assert((DELAY_LEAST & (DELAY_LEAST - 1)) == 0 && DELAY_LEAST > 0, "a power of two");
_Static_assert((DELAY_MOST & (DELAY_MOST - 1)) == 0 && DELAY_MOST >= DELAY_LEAST,
               "a power of two, not below DELAY_LEAST");

// A delay is uniform in 1 .. 2 * mean iterations; `mask` is 2 * mean - 1. The random number begins
// with the clock, whose reading uses no bus, and the stack pointer, which differs by processor. It
// continues by a linear congruence (Press et al., Numerical Recipes in C, 2nd ed., 7.1).
static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    unsigned char taken = 1;
    unsigned mask, random, turns;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    __asm__ volatile(
        TAKE_OR_WAIT("1: movl %[least], %[mask]             \n"
                     "   movl %c[clock], %[random]          \n"
                     "   addl %%esp, %[random]              \n"
                     "2: imull $1664525, %[random], %[random] \n"  // draw a delay
                     "   addl $1013904223, %[random]        \n"
                     "   movl %[random], %[turns]           \n"
                     "   shrl $16, %[turns]                 \n"
                     "   andl %[mask], %[turns]             \n"
                     "3: cmpb $0, %[word]                   \n"  // await the release, in the cache
                     "   jne 3b                             \n"
                     "4: decl %[turns]                      \n"  // delay
                     "   jns 4b                             \n"
                     "   cmpb $0, %[word]                   \n"
                     "   jne 5f                             \n"
                     "   xchgb %[taken], %[word]            \n"  // still free: take it
                     "   testb %[taken], %[taken]           \n"
                     "   jz 0b                              \n"
                     "5: cmpl %[most], %[mask]              \n"  // a failure doubles the mean
                     "   jae 2b                             \n"
                     "   addl %[mask], %[mask]              \n"
                     "   incl %[mask]                       \n"
                     "   jmp 2b                             ")
        : [taken] "+q"(taken), [word] "+m"(lock->word), [mask] "=&r"(mask), [random] "=&r"(random),
          [turns] "=&r"(turns)
        : [least] "i"(2 * DELAY_LEAST - 1), [most] "i"(2 * DELAY_MOST - 1),
          [clock] "i"(BOARD_CLOCK_US)
        : "memory", "cc");
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
