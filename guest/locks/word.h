// SPDX-License-Identifier: MIT
#pragma once

// Common part of the locks on a single word: the word, acquiring it when it is free, releasing it.
// The locks differ in lock_wait(), which each file defines and which runs after a failed exchange.
//
//   word   0 free ── exchange_byte(1) reads 0: acquired ──▶ 1 held
//          1 held ── exchange_byte(1) reads 1: lock_wait ─▶ 1 held, by another processor
//          1 held ── exchange_byte(0): released ──────────▶ 0 free
//
// Acquisition and release are one xchgb each (ordering.h rule 4 gives the order of both). A plain
// store would be enough for the release and cost less. But the Symmetry's library lock exchanges,
// and the 5.6 us of ALL Table 3.1 are counted as two xchgb.

#define LOCK_RELEASE exchange

#include <stdbool.h>

#include "ordering.h"
#include "probes.h"
#include "sections.h"

struct lock {
    LINE_ALIGNED volatile unsigned char word;
};

_Static_assert(sizeof(struct lock) == LINE_BYTES, "the word shares its line with nothing");

// clang-format off
#define LOCK_INIT {0}
// clang-format on

// All waiters share the one word: an acquisition needs no memory of its own.
struct lock_slot {};

// Waits for the lock; the caller has it on return.
static SPIN_FUNCTION void lock_wait(struct lock* lock);

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    if (exchange_byte(&lock->word, 1) != 0) lock_wait(lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// A failed attempt records no probe, since nobody waited.
static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    (void)slot;
    if (lock->word != 0 || exchange_byte(&lock->word, 1) != 0) return false;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}

// The probe marks the xchgb itself: the section ends when the xchgb is complete.
static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    unsigned char freed = 0;
    __asm__ inline volatile(PROBE_RECORD(PROBE_LOCK_RELEASE, "%[lock]") "xchgb %[freed], %[word]"
                            : [freed] "+q"(freed), [word] "+m"(lock->word)
                            : [lock] "ior"(lock)
                            : "memory");
}
