// SPDX-License-Identifier: MIT
#pragma once

// Dissemination barrier: Hensgen, Finkel and Manber, Int. J. Parallel Programming 17(1), 1988; as
// in Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 3.3, Algorithm 9.
// Idea: in round k each processor signals the one 2^k further on in a circle, and waits for a
// signal. After ceil(log2 P) rounds each knows that all have arrived, so there is no release.
//
// A processor may get a signal of the next episode before it has left this one. So episodes use two
// sets of flags alternately. The sense changes every second episode, after both sets.
//
// Bus ledger (write-through), P processors, per episode:
//   P ceil(log2 P) stores and as many read misses, each of another line
//
// No locked instruction. Limits: 64 processors: six rounds; eight if built for more.

#define BARRIER_NAME "dissemination"

#define ROUNDS (MAX_PROCESSORS == 64 ? 6 : 8)
_Static_assert(1 << ROUNDS >= MAX_PROCESSORS, "all have heard of all after the last round");

struct barrier {
    struct barrier_word told[MAX_PROCESSORS][2][ROUNDS];
    LINE_ALIGNED unsigned count;
};

static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->count = count;
}

static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    unsigned self = slot->self, sense = slot->sense, parity = slot->parity;
    unsigned count = barrier->count;
    for (unsigned round = 0, distance = 1; distance < count; round++, distance <<= 1) {
        unsigned other = self + distance;
        if (other >= count) other -= count;
        barrier->told[other][parity][round].word = sense;
        barrier_spin(&barrier->told[self][parity][round].word, sense);
    }
    if (parity) slot->sense = !sense;
    slot->parity = !parity;
}
