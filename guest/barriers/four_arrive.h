// SPDX-License-Identifier: MIT
#pragma once

// The arrival phase of the tree barrier of Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section
// 3.5, Algorithm 11. Processor i waits for its children 4i + 1 .. 4i + 4, then signals its parent.
// The four children share one word, a byte each, so one load of the parent tests all.
//
//   missing   01 01 01 00   up to three still to come; there is no fourth child
//             00 01 00 00   one still to come
//             00 00 00 00   all have arrived; the parent resets the word before it continues

struct arrival {
    LINE_ALIGNED union {
        volatile unsigned word;
        volatile unsigned char child[4];
    } missing;
    unsigned all;  // value of `missing` at the start of an episode
};

static void arrival_setup(struct arrival* arrivals, unsigned count) {
    for (unsigned i = 1; i < count; i++) arrivals[(i - 1) / 4].missing.child[(i - 1) % 4] = 1;
    for (unsigned i = 0; i < count; i++) arrivals[i].all = arrivals[i].missing.word;
}

static inline __attribute__((always_inline)) void arrive(struct arrival* arrivals, unsigned self) {
    struct arrival* own = &arrivals[self];
    barrier_spin(&own->missing.word, 0);
    if (own->all != 0) own->missing.word = own->all;
    if (self != 0) arrivals[(self - 1) / 4].missing.child[(self - 1) % 4] = 0;
}
