// SPDX-License-Identifier: MIT
#pragma once

// Ticket lock with proportional backoff for processes (paper: ticket.h).
// Idea: as ticket.h, but numbers are taken by compare_and_swap. So nobody waits for a process that
// is preempted while it takes its number, as with the small lock of number.h.
//
//   next - serving   0 free, 1 held, more: held, with waiters
//
// ticket-proportional-7 pauses for 7 us for each number ahead; alone for 20, a section of WKS and
// the handoff.
//
// Who waits for whom: each waiter for all that have lower numbers, even if they are preempted.
// Fairness: by number. Limits: none. Order: ordering.h rules 4 (number), 1 (wait), 2 (release).

#include <stdbool.h>

#include "ordering.h"
#include "probes.h"
#include "process.h"
#include "release.h"
#include "sections.h"
#include "turns.h"

#ifndef LOCK_NAME
#define LOCK_NAME "ticket-proportional"
#endif
#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"
#define LOCK_FIFO numbers
#define LOCK_PARAMETER LOCK_PAUSE_US 20
#ifndef LOCK_PAUSE_US
#define LOCK_PAUSE_US 20
#endif

// Tests set a value shortly below 2^32, so that numbers wrap.
#ifndef NUMBER_FIRST
#define NUMBER_FIRST 0
#endif

// Two lines: taking a number does not invalidate the line on which waiters spin.
struct lock {
    LINE_ALIGNED volatile unsigned next;
    LINE_ALIGNED volatile unsigned serving;
};

// clang-format off
#define LOCK_INIT {.next = NUMBER_FIRST, .serving = NUMBER_FIRST}
// clang-format on

struct lock_slot {
    unsigned number;
};

static SPIN_FUNCTION void lock_wait(struct lock* lock, unsigned number) {
    for (;;) {
        unsigned before = number - lock->serving;
        if (before == 0) return;
        if (LOCK_PAUSE_US != 0) delay_slots(before * LOCK_PAUSE_US);
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    unsigned number;
    do {
        number = lock->next;
    } while (!compare_and_swap(&lock->next, number, number + 1));
    slot->number = number;
    if (lock->serving != number) lock_wait(lock, number);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// The lock is free if the number being served has not been taken yet.
static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    unsigned number = lock->serving;
    if (!compare_and_swap(&lock->next, number, number + 1)) return false;
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
