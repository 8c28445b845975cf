// SPDX-License-Identifier: MIT
#pragma once

// Common part of the locks on a single word: the word, its release, an attempt that never waits.
//
//   word   0 free ── xchgb 1 reads 0: acquired ──▶ 1 held
//          1 held ── xchgb 1 reads 1: waits ─────▶ 1 held, by another processor
//          1 held ── xchgb 0: released ──────────▶ 0 free
//
// Acquisition and release are one xchgb each (ordering.h rule 4 gives the order of both). A plain
// store would be enough for the release and cost less. But the Symmetry's library lock exchanges,
// and the 5.6 us of ALL Table 3.1 are counted as two xchgb. On a write-through bus an xchgb is two
// transactions: a locked read, and a locked store that also unlocks the line (bus.unlock).
//
// The locks of ALL are assembler, as in the paper (section 3.6): lock_acquire with TAKE_OR_WAIT.
// The others are C: word.h.

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

// The first xchgb, in line, and the waiting loop, out of line in .text.spin (sections.h): no call,
// all in registers. Operands: %[word], and %[taken], a byte that is 1. The loop begins at label 1
// with %[taken] still 1; it jumps to 0 when an xchgb has left 0 in %[taken]. It begins a cache
// line, so its time does not depend on the code before it. Label and .loc_mark_labels give the loop
// a name and the source line of the asm statement, for reports and profiles.
#define TAKE_OR_WAIT(loop)                           \
    "xchgb %[taken], %[word]\n\t"                    \
    "testb %[taken], %[taken]\n\t"                   \
    "jnz 1f\n"                                       \
    "0:\n\t"                                         \
    ".pushsection .text.spin, \"ax\", @progbits\n\t" \
    ".balign 32\n\t"                                 \
    ".type lock_wait.%=, @function\n\t"              \
    ".loc_mark_labels 1\n"                           \
    "lock_wait.%=:\n\t"                              \
    ".loc_mark_labels 0\n" loop                      \
    "\n\t"                                           \
    ".size lock_wait.%=, . - lock_wait.%=\n\t"       \
    ".popsection"

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
