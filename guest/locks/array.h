// SPDX-License-Identifier: MIT
#pragma once

// T. Anderson's array-based queue lock: ALL Table 4.1 (journal version); "The Performance of Spin
// Lock Alternatives for Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990, section on queueing.
// Idea: take a number and spin on the place of that number, which nobody else reads. A release sets
// the flag of the next place.
//
//   place   0 wait ── release of the number before: ──▶ 1 go ── seen by its waiter: ──▶ 0 wait
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 read miss and 3 stores (2 of them for the number); with xadd 1
//                      locked xadd, 1 read miss, 1 store
//   release            1 store (claim ALL-69: one flag, no atomic)
//   each spinner       no transaction
//   handoff            1 store, 1 read miss by the next holder, 1 store by which it clears its
//                      place, whatever the number of spinners (claim ALL-68)
//
// Fairness: by number; a 386 does not take numbers in the order of arrival (number.h). Limits: 64
// waiters, one per processor; 2 KB per lock. Order: number.h; ordering.h rules 1 (flag), 2 (store).

#include <stdbool.h>

#include "cpu.h"
#include "number.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#ifndef LOCK_NAME
#define LOCK_NAME "array"
#define LOCK_FIFO numbers
#endif

#define LOCK_PLACES MAX_PROCESSORS  // a power of two: the modulus stays right when numbers wrap

struct lock_place {
    LINE_ALIGNED volatile unsigned go;
};

struct lock {
    struct number number;
    struct lock_place place[LOCK_PLACES];
};

// clang-format off
#define LOCK_INIT {.number.next = NUMBER_FIRST, .place[NUMBER_FIRST % LOCK_PLACES].go = 1}
// clang-format on

struct lock_slot {
    unsigned number;
};

static SPIN_FUNCTION void lock_wait(struct lock_place* place) {
    while (!place->go) {
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    slot->number = number_take(&lock->number);
    struct lock_place* place = &lock->place[slot->number % LOCK_PLACES];
    if (!place->go) lock_wait(place);
    place->go = 0;
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// The lock is free if the place of the next number says go: whoever takes that number does not
// wait. Only the owner of the number clears the flag, so it cannot change before number_try().
static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    unsigned number = lock->number.next;
    struct lock_place* place = &lock->place[number % LOCK_PLACES];
    if (!place->go || !number_try(&lock->number, number)) return false;
    slot->number = number;
    place->go = 0;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    release_word(lock, &lock->place[(slot->number + 1) % LOCK_PLACES].go, 1);
}
