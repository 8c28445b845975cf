// SPDX-License-Identifier: MIT
#pragma once

// Graunke and Thakkar's queue lock, "Synchronization Algorithms for Shared-Memory Multiprocessors",
// IEEE Computer 23(6), 1990, written for the Symmetry.
// Idea: each processor has a flag and inverts it at each release. An exchange of the tail returns
// the predecessor's flag and its phase at that time; the waiter spins until the phase differs. The
// paper's tail is an address and a bit. Ours is 2 * processor + phase: a byte, for xchgb.
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 read miss unless the last holder was the same processor
//   release            1 store
//   each spinner       no transaction
//   handoff            1 store, 1 read miss by the next holder
//
// Fairness: first come, first served. Limits: 64 processors, each with one acquisition at a time
// and released by the processor that made it; 2 KB per lock. There is no lock_try: reading the tail
// and joining the queue are two steps, and a processor that has joined must wait. Order: ordering.h
// rule 4; rule 1 for the flag, rule 2 for the release.

#include "cpu.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#define LOCK_NAME "graunke-thakkar"
#define LOCK_FIFO arrival
#define LOCK_HAS_TRY 0

struct lock_flag {
    LINE_ALIGNED volatile unsigned phase;  // 0 or 1; only its own processor writes it
};

struct lock {
    LINE_ALIGNED volatile unsigned char tail;
    struct lock_flag flag[MAX_PROCESSORS];
};

_Static_assert(2 * MAX_PROCESSORS - 1 <= 0xFF, "processor and phase in a byte");

// Initially free: the tail says phase 1 of processor 0, whose flag is 0.
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
