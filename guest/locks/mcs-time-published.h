// SPDX-License-Identifier: MIT
#pragma once

// Time-published MCS queue lock, as MCS-TP (paper: published-time.h).
// Idea: the releaser passes over each successor in the queue whose time is old. A process that was
// passed over joins the queue again when it runs.
//
//   status of a waiter's slot; written by its owner before it joins, from then on by the releaser:
//
//   waiting ── first whose time is new ──▶ granted: it has the lock
//      └────── its time is old, its successor is known ──▶ passed: the slot is its owner's again
//
// Why no slot is used again too early: the releaser reads a slot's `next` before it writes `passed`
// and does not look at the slot any more. There is one releaser at a time, who alone takes slots
// out of the queue. A waiter that runs again before it is passed over leaves its slot as it is, so
// the releaser may pass over a process that has just begun to run, but never grants to a slot that
// is not in the queue. The last slot leaves by compare_and_swap of the tail, as in queued.h.
//
// MCS-TP has time-outs too, so there a waiter may leave the queue itself and the releaser competes
// with it by compare_and_swap. Here nobody leaves, and the releaser stores.
//
// Who waits for whom: a waiter for the holder, which may be preempted: waiters then yield. For a
// process that is granted the lock within PUBLISHED_OLD_US after it was preempted. A releaser for a
// process that is preempted between the exchange of the tail and the store that makes it known.
// Fairness: not FIFO, a preempted process loses its place and may starve. Limits: slots must be in
// shared memory; no lock_try. Order: ordering.h rules 4 and 2.

#include <stddef.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"
#include "published-time.h"
#include "sections.h"

#define LOCK_NAME "mcs-time-published"
#define LOCK_ALIAS "mcs-tp"
#define LOCK_HAS_TRY 0

enum published_status { WAITING, GRANTED, PASSED };

struct lock_slot {
    LINE_ALIGNED struct lock_slot* volatile next;  // written by the successor, after it has joined
    volatile unsigned status;                      // an enum published_status
    volatile uint32_t time;                        // written by the owner
};

struct lock {
    LINE_ALIGNED volatile uintptr_t tail;  // address of the last slot; 0: the lock is free
    LINE_ALIGNED volatile uint32_t since;  // when the holder got the lock; written by the holder
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

// True: the lock is acquired. False: the process was passed over.
static SPIN_FUNCTION bool published_wait(struct lock* lock, struct lock_slot* slot,
                                         struct lock_slot* before) {
    slot->time = time_now();
    slot->status = WAITING;
    compiler_barrier();
    before->next = slot;
    while (slot->status == WAITING) time_publish(&slot->time, &lock->since);
    return slot->status == GRANTED;
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    struct lock_slot* before;
    do {
        slot->next = NULL;
        before = (struct lock_slot*)fetch_and_store(&lock->tail, (uintptr_t)slot);
    } while (before != NULL && !published_wait(lock, slot, before));
    lock->since = time_now();
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// The slot behind `slot`, or NULL if there is none, and the lock is free from now on.
static SPIN_FUNCTION struct lock_slot* published_next(struct lock* lock, struct lock_slot* slot) {
    if (slot->next == NULL && compare_and_swap(&lock->tail, (uintptr_t)slot, 0)) return NULL;
    while (slot->next == NULL) {
    }
    return slot->next;
}

static __attribute__((noinline, unused)) void published_release(struct lock* lock,
                                                                struct lock_slot* slot) {
    struct lock_slot* candidate = published_next(lock, slot);
    while (candidate != NULL && time_is_old(candidate->time)) {
        struct lock_slot* passed = candidate;
        candidate = published_next(lock, passed);
        passed->status = PASSED;  // from here on its slot may be used again
    }
    if (candidate != NULL) candidate->status = GRANTED;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    compiler_barrier();
    PROBE(PROBE_LOCK_RELEASE, lock);
    published_release(lock, slot);
}
