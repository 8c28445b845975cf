// SPDX-License-Identifier: MIT
#pragma once

// Time-published CLH queue lock, as CLH-TP (paper: published-time.h).
// Idea: a waiter spins on its predecessor's node. If the predecessor's time is old, the waiter
// takes that node out of the queue and spins on the one before it.
//
//   status of a node; its owner writes it, but for `passed` and `out`, which its successor does:
//
//   joining ──▶ waiting ── the node before is available ──▶ holding ── released ──▶ available
//                 │ ▲ └─── its time is old ──▶ passed ── out of the queue ──▶ out: joins again
//                 ▼ │
//               editing: takes the node before it out of the queue
//
// All changes from `waiting` are by compare_and_swap, so one of owner and successor wins: a node
// that is passed never acquires, and one that holds is never passed.
//
// Why no node is used again too early: only a node's successor looks at it, and a node has one
// successor at a time. A waiter takes a node out only while its own is `editing`. Then its own
// successor cannot pass it, and so nobody else reaches the node before. That node's `before` does
// not change: its owner changes it only when `editing`, and it is `passed`. The owner uses it again
// after `out`, which the waiter writes last, when its own `before` leads past it. A releaser's node
// stays in the queue until its successor has the lock and takes that node for its own, as in clh.h.
// A process that is passed over may still read the nodes before it, but it writes only its own.
//
// Who waits for whom: a waiter for the holder, which may be preempted: waiters then yield. For a
// predecessor that gets the lock within PUBLISHED_OLD_US after it was preempted, or is preempted
// while its node is `joining` or `editing`, some dozens of instructions. Fairness: not FIFO, a
// preempted process with waiters behind it loses its place and may starve. Limits: 8 KB per lock;
// no lock_try. Order: ordering.h rules 4 and 2.

#include <stddef.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"
#include "published-time.h"
#include "release.h"
#include "sections.h"

#define LOCK_NAME "clh-time-published"
#define LOCK_ALIAS "clh-tp"
#define LOCK_HAS_TRY 0

enum node_status { AVAILABLE, JOINING, NODE_WAITING, EDITING, HOLDING, NODE_PASSED, NODE_OUT };

struct lock_node {
    LINE_ALIGNED volatile unsigned status;  // an enum node_status
    volatile uint32_t time;                 // written by the owner
    struct lock_node* volatile before;      // written by the owner when it is joining or editing
};

// One node more than processes: the extra one is the first predecessor.
struct lock {
    LINE_ALIGNED volatile uintptr_t tail;  // address of the last node; 0: node[MAX_PROCESSES]
    LINE_ALIGNED volatile uint32_t since;  // when the holder got the lock; written by the holder
    struct lock_node node[MAX_PROCESSES + 1];
    struct lock_node* own[MAX_PROCESSES];  // by process, used by it alone; NULL: that of its number
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

struct lock_slot {
    struct lock_node* node;
};

static SPIN_FUNCTION void node_pass(struct lock_node* node, struct lock_node* before) {
    if (!compare_and_swap(&node->status, NODE_WAITING, EDITING)) return;
    if (compare_and_swap(&before->status, NODE_WAITING, NODE_PASSED)) {
        node->before = before->before;
        before->status = NODE_OUT;  // from here on its owner may use it again
    }
    node->status = NODE_WAITING;
}

// True: the lock is acquired. False: the node was taken out of the queue.
static SPIN_FUNCTION bool node_wait(struct lock* lock, struct lock_node* node) {
    for (;;) {
        const unsigned own = node->status;
        if (own == NODE_OUT) return false;
        struct lock_node* before = node->before;
        const unsigned status = before->status;
        if (own == NODE_PASSED) continue;
        if (status == AVAILABLE && compare_and_swap(&node->status, NODE_WAITING, HOLDING))
            return true;
        time_publish(&node->time, &lock->since);
        if (status == NODE_WAITING && time_is_old(before->time)) node_pass(node, before);
    }
}

static inline bool node_join(struct lock* lock, struct lock_node* node) {
    node->status = JOINING;
    node->time = time_now();
    uintptr_t before = fetch_and_store(&lock->tail, (uintptr_t)node);
    node->before = before != 0 ? (struct lock_node*)before : &lock->node[MAX_PROCESSES];
    node->status = NODE_WAITING;
    return node_wait(lock, node);
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    struct lock_node* node = lock->own[process_self()];
    if (node == NULL) node = &lock->node[process_self()];
    while (!node_join(lock, node)) {
    }
    lock->own[process_self()] = node->before;
    slot->node = node;
    lock->since = time_now();
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    compiler_barrier();
    release_word(lock, &slot->node->status, AVAILABLE);
}
