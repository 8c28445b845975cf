// SPDX-License-Identifier: MIT
#pragma once

// CLH: T. Craig, "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap", University of
// Washington TR 93-02-02, 1993; P. Magnusson, A. Landin, E. Hagersten, "Queue Locks on Cache
// Coherent Multiprocessors", IPPS 1994.
// Idea: exchange the tail for a node of one's own, wait until the node that was there is given up;
// after the release go on with that one, since one's own is still looked at by the next. Nodes are
// numbered, so that the tail is the byte that xchgb exchanges.
//
//   node   0 given up ── its owner joins: ──▶ 1 wanted or held ── released: ──▶ 0
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 store, 1 read miss of the node in front
//   release            1 store, and 1 after it that changes nodes
//   each spinner       nothing
//   hand-over          1 store, 1 read miss of the one waiter it concerns
//
// Fairness: first come, first served. Limits: 64 processors, one acquisition of each at a time,
// released where it was made; 4 KB a lock; no lock_try, as graunke-thakkar.h says. Order:
// ordering.h rule 4; rule 1 for the node, rule 2 for the release.

#include "cpu.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#define LOCK_NAME "clh"
#define LOCK_HAS_TRY 0

struct lock_node {
    LINE_ALIGNED volatile unsigned wanted;
};

// One node more than processors: the one given up last stands in the tail.
struct lock {
    LINE_ALIGNED volatile unsigned char tail;
    struct lock_node node[MAX_PROCESSORS + 1];
    struct {
        LINE_ALIGNED unsigned node;
    } own[MAX_PROCESSORS];  // by processor, seen by it alone
};

// clang-format off
#define LOCK_OWN_4(n) {n}, {n + 1}, {n + 2}, {n + 3}
#define LOCK_OWN_16(n) LOCK_OWN_4(n), LOCK_OWN_4(n + 4), LOCK_OWN_4(n + 8), LOCK_OWN_4(n + 12)
#define LOCK_INIT \
    {.tail = MAX_PROCESSORS, \
     .own = {LOCK_OWN_16(0), LOCK_OWN_16(16), LOCK_OWN_16(32), LOCK_OWN_16(48)}}
// clang-format on

_Static_assert(MAX_PROCESSORS == 64, "LOCK_INIT gives each processor a node");

struct lock_slot {
    unsigned node, before;
};

static SPIN_FUNCTION void lock_wait(struct lock_node* node) {
    while (node->wanted) {
    }
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    slot->node = lock->own[this_cpu()->number].node;
    lock->node[slot->node].wanted = 1;
    slot->before = exchange_byte(&lock->tail, slot->node);
    struct lock_node* before = &lock->node[slot->before];
    if (before->wanted) lock_wait(before);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    release_word(lock, &lock->node[slot->node].wanted, 0);
    lock->own[this_cpu()->number].node = slot->before;
}
