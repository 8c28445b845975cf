// SPDX-License-Identifier: MIT
#pragma once

// Tournament barrier: Hensgen, Finkel and Manber, Int. J. Parallel Programming 17(1), 1988, and
// Lubachevsky; as in Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.4, Algorithm 10.
// Idea: rounds between two processors whose winner is known beforehand. In round k the processor
// whose bit k is set signals its arrival to the other and waits; the other continues. Processor 0
// wins all rounds. Winners then wake the losers of their rounds, the last round first.
//
// Bus ledger (write-through), P processors, per episode:
//   arrival    P - 1 stores, P - 1 read misses, each of another line
//   release    as the arrival
//
// No locked instruction. Limits: 64 processors: six rounds; eight if built for more.

#define BARRIER_NAME "tournament"

#define ROUNDS (MAX_PROCESSORS == 64 ? 6 : 8)
_Static_assert(1 << ROUNDS >= MAX_PROCESSORS, "one is left after the last round");

struct barrier {
    struct barrier_word arrived[MAX_PROCESSORS][ROUNDS];  // indexed by winner; the loser sets it
    struct barrier_word woken[MAX_PROCESSORS];            // indexed by loser; the winner sets it
    LINE_ALIGNED unsigned count;
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->count = count;
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned self = slot->self, sense = slot->sense, count = barrier->count;
    unsigned round = 0, bit = 1;
    slot->sense = !sense;
    for (; bit < count && !(self & bit); round++, bit <<= 1)
        if (self + bit < count) barrier_spin(&barrier->arrived[self][round].word, sense);
    if (self != 0) {
        barrier->arrived[self - bit][round].word = sense;
        barrier_spin(&barrier->woken[self].word, sense);
    }
    while ((bit >>= 1) != 0)
        if (self + bit < count) barrier->woken[self + bit].word = sense;
}
