// SPDX-License-Identifier: MIT
#pragma once

// Ticket lock with proportional backoff: J. Mellor-Crummey, M. Scott, "Algorithms for Scalable
// Synchronization on Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991, section 2.2.
// Idea: take a number and wait until it is served, with pauses proportional to the numbers ahead.
//
//   next - serving   0 free, 1 held, more: held, with waiters
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 read miss and 2 stores; with xadd 1 locked xadd, 1 read miss
//   release            1 store
//   each spinner       1 read miss per read; the pause after it is proportional to the numbers
//                      still ahead. ticket-plain.h: 1 read miss per release
//   handoff            1 store, 1 read miss by the next holder, after the rest of its pause
//
// Fairness: by number (number.h). No limits. Order: number.h; ordering.h rules 1 (wait), 2 (store).

#include <stdbool.h>

#include "number.h"
#include "probes.h"
#include "release.h"
#include "sections.h"
#include "turns.h"

#ifndef LOCK_NAME
#define LOCK_NAME "ticket"
#define LOCK_FIFO numbers
#endif

// Pause for each number ahead: the least time that one takes, an acquisition and a release, 5.6 us
// or 90 clocks in ALL Table 3.1. 0: no pause.
#ifndef TICKET_PAUSE_TURNS
#define TICKET_PAUSE_TURNS (90 / DELAY_TURN_CLOCKS)
#endif

// Two lines: taking a number does not invalidate the line on which waiters spin.
struct lock {
    struct number number;
    LINE_ALIGNED volatile unsigned serving;
};

// clang-format off
#define LOCK_INIT {.number.next = NUMBER_FIRST, .serving = NUMBER_FIRST}
// clang-format on

struct lock_slot {
    unsigned number;
};

static SPIN_FUNCTION void lock_wait(struct lock* lock, unsigned number) {
    for (;;) {
        unsigned before = number - lock->serving;
        if (before == 0) return;
        if (TICKET_PAUSE_TURNS != 0) delay_turns(before * TICKET_PAUSE_TURNS);
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    slot->number = number_take(&lock->number);
    if (lock->serving != slot->number) lock_wait(lock, slot->number);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// The lock is free if the number being served has not been taken yet.
static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    unsigned number = lock->serving;
    if (lock->number.next != number || !number_try(&lock->number, number)) return false;
    slot->number = number;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    release_word(lock, &lock->serving, slot->number + 1);
}
