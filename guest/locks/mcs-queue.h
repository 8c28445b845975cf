// SPDX-License-Identifier: MIT
#pragma once

// The MCS queue: J. Mellor-Crummey and M. Scott, "Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991, Algorithm 5.
// Idea: a linked list of waiters, each of which spins on a word of its own slot. A waiter joins by
// exchanging the tail and then writes its slot's address into its predecessor's `next`.
//
//   tail ──▶ last ◀── next of its predecessor ... ◀── next of the holder; tail 0: free
//
// mcs.h and mcs-cas.h differ in queue_leave(), the release without a known successor.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

struct lock_slot {
    LINE_ALIGNED struct lock_slot* volatile next;  // written by the successor, after it has joined
    volatile unsigned waiting;                     // cleared by the predecessor
};

struct lock {
    LINE_ALIGNED volatile uintptr_t tail;  // address of the last slot; 0: the lock is free
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

// Releases the lock when slot->next is still NULL: no successor, or one that is just joining. True:
// the lock is passed on or free. False: slot->next is set; the caller makes the handoff to it. The
// probe of the release marks the locked instruction, with which the holder gives the lock away.
static inline bool queue_leave(struct lock* lock, struct lock_slot* slot);

// How the tail is exchanged for the slot: by an instruction, unless the release needs another way
// (queued.h).
#ifndef QUEUE_EXCHANGE
#define QUEUE_EXCHANGE exchange_word
#endif

static SPIN_FUNCTION void lock_wait(struct lock_slot* slot, struct lock_slot* before) {
    slot->waiting = 1;
    compiler_barrier();
    before->next = slot;
    while (slot->waiting) {
    }
}

static SPIN_FUNCTION void queue_wait_for_next(struct lock_slot* slot) {
    while (slot->next == NULL) {
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    slot->next = NULL;
    uintptr_t before = QUEUE_EXCHANGE(&lock->tail, (uintptr_t)slot);
    if (before != 0) lock_wait(slot, (struct lock_slot*)before);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    compiler_barrier();
    if (slot->next != NULL)
        release_word(lock, &slot->next->waiting, 0);
    else if (!queue_leave(lock, slot))
        slot->next->waiting = 0;
}
