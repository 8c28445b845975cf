// SPDX-License-Identifier: MIT
#pragma once

// Smart-Q: WKS Figure 3, with the extended kernel interface, in which each process's state can be
// read and changed by others.
// Idea: the releaser makes its successor unpreemptable before it gives it the lock. If it cannot,
// the successor does not run: it is removed from the queue, and the next one is tried.
//
//   state of a process (process.h):
//     preemptable ── joins ──▶ unpreemptable_self ── waits ──▶ preemptable ⇄ preempted (the kernel)
//     unpreemptable_self or preemptable ── its predecessor gives it the lock ──▶
//     unpreemptable_other unpreemptable_* ── has released ──▶ preemptable, and yields if warned
//
// One step departs from Figure 3: `status` becomes FAILURE only when the releaser has done with the
// slot. In the figure it does before the releaser compares the tail with the slot. A process that
// wakes up just then joins with the same slot again, finds itself as predecessor, and waits for
// ever.
//
// Who waits for whom: a waiter for the holder, which is not preempted as long as section and
// release end within the kernel's extension. A release takes two compare_and_swaps for each
// preempted process that it passes over: with 38 processes on 19 processors it may take longer than
// 500 us. Fairness: not FIFO, a preempted process loses its place and may starve. Limits: slots
// must be in shared memory; no lock_try. Order: ordering.h rules 4 and 2.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"
#include "process.h"
#include "sections.h"

#define LOCK_NAME "smart-q"
#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"
#define LOCK_HAS_TRY 0

enum smart_status { WAITING, SUCCESS, FAILURE };

struct lock_slot {
    LINE_ALIGNED struct lock_slot* volatile next;  // written by the successor, after it has joined
    volatile unsigned status;                      // an enum smart_status; written by the releaser
    struct context_block* self;
};

struct lock {
    LINE_ALIGNED volatile uintptr_t tail;  // address of the last slot; 0: the lock is free
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

static SPIN_FUNCTION bool smart_wait(struct lock_slot* slot, struct lock_slot* before) {
    slot->status = WAITING;
    compiler_barrier();
    before->next = slot;
    compare_and_swap(&slot->self->state, UNPREEMPTABLE_SELF, PREEMPTABLE);
    while (slot->status == WAITING) {
    }
    return slot->status == SUCCESS;
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    slot->self = process_block();
    struct lock_slot* before;
    do {
        slot->next = NULL;
        slot->self->state = UNPREEMPTABLE_SELF;
        before = (struct lock_slot*)fetch_and_store(&lock->tail, (uintptr_t)slot);
    } while (before != NULL && !smart_wait(slot, before));
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// The slot behind `slot`, or NULL if there is none, and the lock is free from now on.
static SPIN_FUNCTION struct lock_slot* smart_next(struct lock* lock, struct lock_slot* slot) {
    if (slot->next == NULL && compare_and_swap(&lock->tail, (uintptr_t)slot, 0)) return NULL;
    while (slot->next == NULL) {  // it has exchanged the tail, and is not preempted before it is in
    }
    return slot->next;
}

// The order of the two matters: a waiter goes from unpreemptable to preemptable.
static inline bool smart_give(struct context_block* block) {
    return compare_and_swap(&block->state, UNPREEMPTABLE_SELF, UNPREEMPTABLE_OTHER) ||
           compare_and_swap(&block->state, PREEMPTABLE, UNPREEMPTABLE_OTHER);
}

static __attribute__((noinline, unused)) void smart_release(struct lock* lock,
                                                            struct lock_slot* slot) {
    struct lock_slot* candidate = smart_next(lock, slot);
    while (candidate != NULL && !smart_give(candidate->self)) {
        struct lock_slot* preempted = candidate;
        candidate = smart_next(lock, preempted);
        preempted->status = FAILURE;  // from here on its slot may be used again
    }
    if (candidate != NULL) candidate->status = SUCCESS;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    compiler_barrier();
    PROBE(PROBE_LOCK_RELEASE, lock);
    smart_release(lock, slot);
    slot->self->state = PREEMPTABLE;
    if (slot->self->warning) process_yield();
}
