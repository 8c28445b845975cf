// SPDX-License-Identifier: MIT
#pragma once

// Ethernet-style backoff after a release is noticed: ALL sections 4.3 and 4.4, Figures 4.1 to 4.3.
// Idea: as spin on read, but who sees the lock free waits a random while and looks again before
// exchanging; mostly one has taken it by then, and the others never exchange. Delays: delay.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       nothing while the lock stays held; per wait 2 stores to its own past and 1
//                      per failure below the cap
//   hand-over          each spinner: 2 read misses, one that sees the release, one after its delay
//                      that sees the acquisition (ALL-57), and no xchgb but the winner's
//
// Fairness: against those who have waited long, whose delays have grown (ALL-59). Limits: 64
// processors. Order: ordering.h rule 4.

#include "delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "backoff"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    delay_until_taken(&lock->word);
}
