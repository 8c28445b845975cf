// SPDX-License-Identifier: MIT
#pragma once

// Tree barrier of Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.5, Algorithm 11.
// Idea: arrive in a tree with four children per node (four_arrive.h), wake up in a binary tree:
// processor i wakes 2i + 1 and 2i + 2. Each spins only on words of its own.
//
// Bus ledger (write-through), P processors, per episode:
//   arrival    P - 1 stores of a byte, at most P - 1 read misses; P / 4 stores to reset the words
//   release    P - 1 stores, P - 1 read misses, each of another line
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
