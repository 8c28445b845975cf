// SPDX-License-Identifier: MIT
#pragma once

// G. Graunke, S. Thakkar, "Synchronization Algorithms for Shared-Memory Multiprocessors", IEEE
// Computer 23(6), 1990, written for the Symmetry.
// Idea: each processor has a flag of its own, turned over at each release; an exchange of the tail
// names the flag of the one before and how that stood when it came; wait until it stands otherwise.
// The paper's word is an address and a bit; ours is 2 * processor + phase, which fits the byte that
// xchgb exchanges.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 read miss unless its own flag was the last
//   release            1 store
//   each spinner       nothing
//   hand-over          1 store, 1 read miss of the one waiter it concerns
//
// Fairness: first come, first served. Limits: 64 processors, one acquisition of each at a time,
// released where it was made; 2 KB a lock; no lock_try: to look at the tail and to join the queue
// are two steps, and who has joined must wait. Order: ordering.h rule 4; rule 1 for the flag, rule
// 2 for the release.

#include "cpu.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#define LOCK_NAME "graunke-thakkar"
#define LOCK_HAS_TRY 0

struct lock_flag {
    LINE_ALIGNED volatile unsigned phase;  // 0 or 1, written by its processor
};

struct lock {
    LINE_ALIGNED volatile unsigned char tail;
    struct lock_flag flag[MAX_PROCESSORS];
};

_Static_assert(2 * MAX_PROCESSORS - 1 <= 0xFF, "processor and phase in a byte");

// Free: flag 0 stands otherwise than the tail says.
// clang-format off
#define LOCK_INIT {.tail = 1}
// clang-format on

struct lock_slot {
    struct lock_flag* flag;
    unsigned phase;
};

static SPIN_FUNCTION void lock_wait(struct lock_flag* flag, unsigned phase) {
    while (flag->phase == phase) {
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    unsigned own = this_cpu()->number;
    slot->flag = &lock->flag[own];
    slot->phase = slot->flag->phase;
    unsigned before = exchange_byte(&lock->tail, 2 * own + slot->phase);
    struct lock_flag* flag = &lock->flag[before / 2];
    if (flag->phase == before % 2) lock_wait(flag, before % 2);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    release_word(lock, &slot->flag->phase, slot->phase ^ 1);
}
