// SPDX-License-Identifier: MIT
#pragma once

// Arrival tree with a central flag: Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.5, for
// machines whose caches let many spin on one word.
// Idea: arrive in a tree of four children per node (four_arrive.h); one store releases all.
//
// Bus ledger (write-through), P processors, per episode:
//   arrival    P - 1 stores of a byte, at most P - 1 read misses; P / 4 stores to reset the words
//   release    1 store; P - 1 read misses, all of one line
//
// No locked instruction. Limits: 64 processors.

#include "four_arrive.h"

#define BARRIER_NAME "arrival-tree"

struct barrier {
    struct arrival arrivals[MAX_PROCESSORS];
    struct barrier_word flag;  // sense of the last complete episode
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    arrival_setup(barrier->arrivals, count);
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned self = slot->self, sense = slot->sense;
    slot->sense = !sense;
    arrive(barrier->arrivals, self);
    if (self == 0)
        barrier->flag.word = sense;
    else
        barrier_spin(&barrier->flag.word, sense);
}
