// SPDX-License-Identifier: MIT
#pragma once

// L. Lamport, "A New Solution of Dijkstra's Concurrent Programming Problem", CACM 17(8), 1974.
// Each takes a number above all others, and waits for those with lower ones; equal numbers go by
// processor. `choosing` says that a number is about to appear.

#include "plain_lock.h"
#include "symsim.h"

#define LOCK_NAME "bakery"
#define LOCK_FIFO numbers

struct lock {
    struct word choosing[MAX_PROCESSORS];
    struct word number[MAX_PROCESSORS];  // 0: does not want
};

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own) {
    const unsigned count = processors();
    unsigned highest = 0;
    lock->choosing[own].word = 1;
    fence();
    for (unsigned i = 0; i < count; i++) {
        const unsigned number = lock->number[i].word;
        if (number > highest) highest = number;
    }
    const unsigned mine = highest + 1;
    lock->number[own].word = mine;
    lock->choosing[own].word = 0;
    fence();
    for (unsigned i = 0; i < count; i++) {
        if (i == own) continue;
        while (lock->choosing[i].word) {
        }
        for (;;) {
            const unsigned number = lock->number[i].word;
            if (number == 0 || number > mine || (number == mine && i > own)) break;
        }
    }
}

static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own) {
    release_word(lock, &lock->number[own].word, 0);
}
