// SPDX-License-Identifier: MIT
#pragma once

// Central counter, sense-reversing. Say here in one sentence what your barrier is.
// Idea: each arrival decrements the counter. The last one resets it and inverts the flag on which
// all others spin. Change the struct and the two functions to your idea.
//
// Bus ledger (write-through), P processors: what an episode sends over the bus.
//   arrival    P locked decrements, one after the other
//   release    2 stores; P - 1 read misses, all of one line
//
// guest/include/barrier.h says what a barrier defines, and has the words in lines of their own,
// barrier_spin() and barrier_count_down().

#define BARRIER_NAME "@NAME@"

struct barrier {
    struct barrier_word missing;  // arrivals still to come
    struct barrier_word flag;     // sense of the last complete episode
    LINE_ALIGNED unsigned count;
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->count = barrier->missing.word = count;
}

// SPIN_FUNCTION makes its time count as "spin".
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
