// SPDX-License-Identifier: MIT
#pragma once

// Tree of Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.5, Algorithm 11.
// Idea: arrive by a tree of four children, as in four_arrive.h, and wake by a tree of two:
// processor i wakes 2i + 1 and 2i + 2. Each spins on words of its own only.
//
// Bus ledger (write-through), P processors, per episode:
//   arrival    P - 1 stores of a byte, at most as many read misses; P / 4 stores to set back
//   release    P - 1 stores, P - 1 read misses, each of a line of its own
//
// No locked instruction. Limits: 64 processors.

#include "four_arrive.h"

#define BARRIER_NAME "mcs-tree"

struct barrier {
    struct arrival arrivals[MAX_PROCESSORS];
    struct barrier_word woken[MAX_PROCESSORS];
    LINE_ALIGNED unsigned count;
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->count = count;
    arrival_setup(barrier->arrivals, count);
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned self = slot->self, sense = slot->sense, count = barrier->count;
    slot->sense = !sense;
    arrive(barrier->arrivals, self);
    if (self != 0) barrier_spin(&barrier->woken[self].word, sense);
    unsigned child = 2 * self + 1;
    if (child < count) barrier->woken[child].word = sense;
    if (child + 1 < count) barrier->woken[child + 1].word = sense;
}
