// SPDX-License-Identifier: MIT

// A latch: who waits resets it and then looks for work; who has work stores it and then sets the
// latch. The reset must be visible before the look. PostgreSQL lost wake-ups that way (T. Lane,
// "Yes, WaitLatch is vulnerable to weak-memory-ordering bugs", pgsql-hackers, 2011; J. Alglave,
// D. Kroening, V. Nimal and M. Tautschnig, "Software Verification for Weak Memory via Program
// Transformation", ESOP 2013). Processor 0 gives work, processor 1 waits.

#include "each.h"

#define ITEMS 2

static struct word latch, work, done;

static void give(void) {
    work.word = 1;
    latch.word = 1;
}

static void wait(void) {
    for (;;) {
        while (!latch.word) {
        }
        exchange_word(&latch.word, 0);  // before the load that follows: ordering.h rule 4
        if (work.word) return;
    }
}

// The latch may be set once more than needed, as in PostgreSQL.
static void each(unsigned cpu) {
    for (unsigned i = 1; i <= ITEMS; i++)
        if (cpu == 0) {
            latch.word = 1;
            give();
            while (done.word != i) {
            }
        } else if (cpu == 1) {
            wait();
            work.word = 0;
            done.word = i;
        }
}

static bool check(void) {
    return done.word == ITEMS;
}
