// SPDX-License-Identifier: MIT
#pragma once

// G. Peterson, "Myths About the Mutual Exclusion Problem", Inf. Proc. Letters 12(3), 1981. For two
// processors. Who comes says so, then lets the other go first.

#include "plain_lock.h"

#define LOCK_NAME "peterson"

struct lock {
    struct word wants[2];
    struct word last;  // who came last; it waits
};

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own) {
    lock->wants[own].word = 1;
    lock->last.word = own;
    fence();
    while (lock->wants[1 - own].word && lock->last.word == own) {
    }
}

static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own) {
    release_word(lock, &lock->wants[own].word, 0);
}
