// SPDX-License-Identifier: MIT
#pragma once

// CLH queue lock: T. Craig, "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap", Univ.
// of Washington TR 93-02-02, 1993; P. Magnusson, A. Landin, E. Hagersten, "Queue Locks on Cache
// Coherent Multiprocessors", IPPS 1994.
// Idea: exchange the tail for a node of one's own and spin on the node found there, the
// predecessor's. A releasing processor takes over that node, since its successor still reads its
// own. The tail is a node's number: a byte, for xchgb.
//
//   node   0 released ── its owner joins: ──▶ 1 waiting or holding ── released: ──▶ 0
//
// Bus ledger (write-through):
//   free acquisition   1 xchgb, 1 store, 1 read miss of the predecessor's node
//   release            1 store, and 1 after it that changes nodes
//   each spinner       no transaction
//   handoff            1 store, 1 read miss by the next holder
//
// Limits: 64 processors, each with one acquisition at a time, which it releases itself; 4 KB per
// lock; no lock_try (see graunke-thakkar.h). Order: ordering.h rules 4, 1 (node) and 2 (release).

#include "cpu.h"
#include "probes.h"
#include "release.h"
#include "sections.h"

#define LOCK_NAME "clh"
#define LOCK_FIFO arrival
#define LOCK_HAS_TRY 0

struct lock_node {
    LINE_ALIGNED volatile unsigned wanted;
};

// One node more than processors: the extra one is the node last released, which the tail names.
struct lock {
    LINE_ALIGNED volatile unsigned char tail;
    struct lock_node node[MAX_PROCESSORS + 1];
    struct {
        LINE_ALIGNED unsigned node;
    } own[MAX_PROCESSORS];  // indexed by processor; only that processor uses it
};

// clang-format off
#define LOCK_OWN_4(n) {n}, {n + 1}, {n + 2}, {n + 3}
#define LOCK_OWN_16(n) LOCK_OWN_4(n), LOCK_OWN_4(n + 4), LOCK_OWN_4(n + 8), LOCK_OWN_4(n + 12)
#define LOCK_OWN_64(n) \
    LOCK_OWN_16(n), LOCK_OWN_16(n + 16), LOCK_OWN_16(n + 32), LOCK_OWN_16(n + 48)
#if MAX_PROCESSORS == 64
#define LOCK_OWN LOCK_OWN_64(0)
#elif MAX_PROCESSORS == 128
#define LOCK_OWN LOCK_OWN_64(0), LOCK_OWN_64(64)
#else
#error "LOCK_INIT gives each of 64 or 128 processors a node"
#endif
#define LOCK_INIT {.tail = MAX_PROCESSORS, .own = {LOCK_OWN}}
// clang-format on

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
