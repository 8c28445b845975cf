// SPDX-License-Identifier: MIT
#pragma once

// Test-and-test-and-set with backoff after a release: ALL sections 4.3, 4.4, Figures 4.1 to 4.3.
// Idea: a waiter that reads the lock free waits a random delay and reads again before its xchgb.
// Usually another one has taken the lock by then, and the waiter saves its xchgb. Delays: delay.h.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       none while the lock is held; 2 stores to its own delay_past per wait, and 1
//                      per failure below the cap
//   handoff            each spinner: 2 read misses, one that sees the release and one after its
//                      delay that sees the acquisition (claim ALL-57); 1 xchgb, the winner's
//
// Fairness: unfair to processors that have waited long, whose delays have grown (claim ALL-59).
// Limits: 64 processors. Order: ordering.h rule 4.

#include "delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "backoff"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    delay_until_taken(&lock->word);
}
