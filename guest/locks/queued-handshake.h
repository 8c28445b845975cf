// SPDX-License-Identifier: MIT
#pragma once

// Queued-Handshake lock: WKS Figures 1 and 2, with the kernel interface of Symunix.
// Idea: the releaser offers the lock to its successor in the queue. A successor that does not
// answer in time is taken for preempted: the offer is withdrawn, and the next one gets it.
//
//   status of a waiter's slot; its owner writes got_it, all else the releaser:
//
//   not_yet ── offer ──▶ can_go ── the waiter exchanges it for got_it ──▶ ack: it has the lock
//                           └── withdrawn: exchanged for lost_it ──▶ nack: it joins the queue again
//
// Both exchange, so that if offer and withdrawal meet, the releaser sees got_it. A waiter leaves
// its slot alone until ack or nack, since the releaser still reads it.
//
// Who waits for whom: a waiter for the holder, which is not preempted as long as section and
// release end within the kernel's extension; a releaser for TIMEOUT reads for each successor that
// is preempted, and for one that is just joining, which is not preempted either. Fairness: not
// FIFO, a preempted process loses its place and may starve. Limits: slots must be in shared memory;
// no lock_try. Order: ordering.h rules 4 and 2.

#include <stddef.h>
#include <stdint.h>

#include "preemption.h"
#include "probes.h"
#include "sections.h"

#define LOCK_NAME "queued-handshake"
#define LOCK_HAS_TRY 0

// Reads of the slot before a successor counts as preempted, a guess: some 100 us, in which a
// process that runs sees the offer and answers.
#ifndef HANDSHAKE_TIMEOUT
#define HANDSHAKE_TIMEOUT 100
#endif

enum handshake { NOT_YET, CAN_GO, GOT_IT, LOST_IT, ACK, NACK };

struct lock_slot {
    LINE_ALIGNED struct lock_slot* volatile next;  // written by the successor, after it has joined
    volatile unsigned next_done;                   // the successor has answered
    volatile unsigned status;                      // an enum handshake
    struct lock_slot* volatile pred;
};

struct lock {
    LINE_ALIGNED volatile uintptr_t tail;  // address of the last slot; 0: the lock is free
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

// True: the lock is acquired. False: this process was taken for preempted.
static SPIN_FUNCTION bool handshake_wait(struct lock_slot* slot) {
    slot->status = NOT_YET;
    compiler_barrier();
    slot->pred->next = slot;
    do {
        preemption_allow();
        preemption_refuse();
    } while (slot->status == NOT_YET);
    unsigned seen = exchange_word(&slot->status, GOT_IT);
    if (seen == CAN_GO) {
        slot->pred->next_done = 1;
        while (slot->status != ACK) {
        }
        return true;
    }
    while (seen != NACK) seen = slot->status;
    return false;
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    do {
        slot->next = NULL;
        preemption_refuse();
        slot->pred = (struct lock_slot*)fetch_and_store(&lock->tail, (uintptr_t)slot);
    } while (slot->pred != NULL && !handshake_wait(slot));
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// Offers the lock to `next`; true if it has taken it.
static SPIN_FUNCTION bool handshake_offer(struct lock_slot* slot, struct lock_slot* next) {
    slot->next_done = 0;
    next->status = CAN_GO;
    for (unsigned i = 0; i < HANDSHAKE_TIMEOUT; i++) {
        if (slot->next_done) {
            next->status = ACK;
            return true;
        }
    }
    if (exchange_word(&next->status, LOST_IT) != GOT_IT) return false;
    while (!slot->next_done) {  // it runs after all
    }
    next->status = ACK;
    return true;
}

// Waits for a successor that has exchanged the tail, and runs.
static SPIN_FUNCTION struct lock_slot* handshake_next(struct lock_slot* slot) {
    while (slot->next == NULL) {
    }
    return slot->next;
}

static __attribute__((noinline, unused)) void handshake_release(struct lock* lock,
                                                                struct lock_slot* slot) {
    if (slot->next == NULL && compare_and_swap(&lock->tail, (uintptr_t)slot, 0)) return;
    struct lock_slot* next = handshake_next(slot);
    while (!handshake_offer(slot, next)) {
        struct lock_slot* after = next->next;
        if (after == NULL) {
            if (compare_and_swap(&lock->tail, (uintptr_t)next, 0)) {
                next->status = NACK;
                return;
            }
            after = handshake_next(next);
        }
        slot->next = after;
        after->pred = slot;
        next->status = NACK;  // from here on its slot may be used again
        next = after;
    }
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    compiler_barrier();
    PROBE(PROBE_LOCK_RELEASE, lock);
    handshake_release(lock, slot);
    preemption_allow();
}
