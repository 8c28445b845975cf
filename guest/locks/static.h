// SPDX-License-Identifier: MIT
#pragma once

// Static delay after a release is noticed (static-delay.h has the paper).
// Idea: as spin on read, but who sees the lock free waits for its slot and looks again before
// exchanging. If each processor has a slot of its own, only the first of them exchanges.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       nothing while the lock stays held
//   hand-over          each spinner: 2 read misses, one that sees the release, one after its slot
//                      that sees the acquisition; xchgb of those who share the first slot taken.
//                      It waits for the lowest slot among the spinners: long if few of many slots
//                      have one; with 1 slot it is read.h with a second look
//
// Fairness: for low slots, against high ones, who starve while lower ones keep coming. Limits: 64
// processors. Order: ordering.h rule 4.

#include "static-delay.h"
#include "word.h"

#ifndef LOCK_NAME
#define LOCK_NAME "static"
#endif

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    unsigned slot = delay_slot();
    do {
        while (lock->word != 0) {
        }
        delay_static(slot);
    } while (lock->word != 0 || exchange_byte(&lock->word, 1) != 0);
}
