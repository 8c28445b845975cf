// SPDX-License-Identifier: MIT
#pragma once

// Spin on xchgb: ALL section 4.2, Figures 4.1 to 4.3.
// Idea: exchange until it succeeds; whoever exchanges first after a release has the lock.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       xchgb without end, each writing memory and invalidating all copies though
//                      nothing changes (ALL-42); with enough spinners the bus is full (ALL-43, 44)
//   hand-over          no more than the next spinner's xchgb, the fastest there is (ALL-52), but
//                      release and section stand in line behind the spinners' exchanges
//
// Fairness: that of the bus, whose rotation serves the exchanges (ALL-59 fails). Limits: none.
// Order: ordering.h rule 4.

#include "word.h"

#define LOCK_NAME "xchgb"

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    while (exchange_byte(&lock->word, 1) != 0) {
    }
}
