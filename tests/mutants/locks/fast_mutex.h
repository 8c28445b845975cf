// SPDX-License-Identifier: MIT
#pragma once

// L. Lamport, "A Fast Mutual Exclusion Algorithm", ACM TOCS 5(1), 1987, Algorithm 2. Without
// contention an acquisition is seven accesses, however many processors there are.

#include "plain_lock.h"
#include "symsim.h"

#define LOCK_NAME "fast-mutex"

struct lock {
    struct word first, second;  // x and y of the paper: a processor's number, from 1; 0: none
    struct word wants[MAX_PROCESSORS];
};

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own) {
    const unsigned count = processors();
    for (;;) {
        lock->wants[own].word = 1;
        lock->first.word = own + 1;
        fence();
        if (lock->second.word != 0) {
            lock->wants[own].word = 0;
            while (lock->second.word != 0) {
            }
            continue;
        }
        lock->second.word = own + 1;
        fence();
        if (lock->first.word == own + 1) return;
        lock->wants[own].word = 0;
        fence();
        for (unsigned i = 0; i < count; i++)
            while (lock->wants[i].word) {
            }
        if (lock->second.word == own + 1) return;
        while (lock->second.word != 0) {
        }
    }
}

static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own) {
    release_word(lock, &lock->second.word, 0);
    lock->wants[own].word = 0;
}
