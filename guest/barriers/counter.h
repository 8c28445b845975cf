// SPDX-License-Identifier: MIT
#pragma once

// Central counter, sense-reversing: Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.1,
// Algorithm 7.
// Idea: each arrival decrements the counter. The last resets it and inverts the flag on which all
// others spin. Each episode uses the other value of the flag, so the flag needs no reset.
//
// Bus ledger (write-through), P processors, per episode:
//   arrival    P locked decrements, one after the other
//   release    2 stores; P - 1 read misses, all of one line
//
// Limits: 64 processors.

#define BARRIER_NAME "counter"

struct barrier {
    struct barrier_word missing;  // arrivals still to come
    struct barrier_word flag;     // sense of the last complete episode
    LINE_ALIGNED unsigned count;
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->count = barrier->missing.word = count;
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned sense = slot->sense;
    slot->sense = !sense;
    if (barrier_count_down(&barrier->missing.word)) {
        barrier->missing.word = barrier->count;
        barrier->flag.word = sense;
    } else {
        barrier_spin(&barrier->flag.word, sense);
    }
}
