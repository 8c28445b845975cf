// SPDX-License-Identifier: MIT
#pragma once

// T. Dekker's algorithm, after E. Dijkstra, "Cooperating Sequential Processes", 1965. For two
// processors. If both want, the one whose turn it is not steps back.

#include "plain_lock.h"

#define LOCK_NAME "dekker"

struct lock {
    struct word wants[2];
    struct word turn;
};

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own) {
    lock->wants[own].word = 1;
    fence();
    while (lock->wants[1 - own].word) {
        if (lock->turn.word == own) continue;
        lock->wants[own].word = 0;
        while (lock->turn.word != own) {
        }
        lock->wants[own].word = 1;
        fence();
    }
}

static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own) {
    lock->turn.word = 1 - own;
    release_word(lock, &lock->wants[own].word, 0);
}
