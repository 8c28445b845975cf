// SPDX-License-Identifier: MIT
#pragma once

// For locks that need no atomic instruction but loads and stores. fence() makes stores visible
// before later loads, which such locks need on this machine (ordering.h rule 3).

#include "cpu.h"
#include "ordering.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#define LOCK_HAS_TRY 0

struct lock;
struct lock_slot {};

// A word in a line of its own.
struct word {
    LINE_ALIGNED volatile unsigned word;
};

#define fence() stores_before_loads()

// clang-format off
#define LOCK_INIT {0}
// clang-format on

static SPIN_FUNCTION void lock_enter(struct lock* lock, unsigned own);
static inline __attribute__((always_inline)) void lock_leave(struct lock* lock, unsigned own);

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    lock_enter(lock, this_cpu()->number);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    compiler_barrier();
    lock_leave(lock, this_cpu()->number);
}
