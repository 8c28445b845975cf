// SPDX-License-Identifier: MIT
#pragma once

// H. Hyman, "Comments on a Problem in Concurrent Programming Control", CACM 9(1), 1966. For two
// processors. A published algorithm that is wrong, as D. Knuth showed in CACM 9(5), 1966. It has no
// right version: dekker.h and peterson.h solve the problem.

#include "plain_lock.h"

#define LOCK_NAME "hyman"

struct lock {
    struct word wants[2];
    struct word turn;
};

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own) {
    lock->wants[own].word = 1;
    fence();
    while (lock->turn.word != own) {
        while (lock->wants[1 - own].word) {
        }
        lock->turn.word = own;
        fence();
    }
}

static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own) {
    release_word(lock, &lock->wants[own].word, 0);
}
