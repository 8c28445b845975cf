// SPDX-License-Identifier: MIT
#pragma once

// Runnable threads of one processor, ordered by affinity (MTH sections 5.4, 7.1.1): a binary tree
// in which a thread is above all its descendants' `shape`, a random number of its own (a treap,
// Seidel & Aragon 1996). So the tree has the shape of one filled in random order, whatever the
// order of the calls, and an insertion compares about 1.4 log2 n threads. Comparisons are what
// costs: the order by reload transient takes multiplications. Threads leave only at the two ends,
// which have no second subtree: a removal is one store and no comparison. A heap has no second end,
// and a sorted list compares n / 2 threads; up to 5 threads it is as good (Brown 1977), and so is
// the tree.
//
//   lock   the tree and the count; its processor takes the highest, a balancer the lowest
//
// Among threads of equal affinity the first put is the highest. A thread that has yielded is lower
// than all that have not. Some models change their order with time (affinity/hyperbolic.h): then
// the tree has the order of the moments of insertion, and stays a tree.

#include "placed.h"

struct run_queue {
    struct lock lock;
    LINE_ALIGNED struct placed_thread* root;
    volatile unsigned count;
};

ALWAYS_INLINE bool run_queue_has_some(const struct run_queue* queue) {
    return *(struct placed_thread* const volatile*)&queue->root != NULL;
}

ALWAYS_INLINE bool goes_before(const struct placed_thread* thread,
                               const struct placed_thread* other,
                               const struct aff_processor* processor) {
    if (thread->yielded) return false;
    return other->yielded || aff_greater(&thread->affinity, &other->affinity, processor);
}

// `processor`: where the queue is. This and the two below: with the lock held.
static THREADS_FUNCTION void run_queue_insert(struct run_queue* queue, struct placed_thread* thread,
                                              const struct aff_processor* processor) {
    struct placed_thread** link = &queue->root;
    while (*link != NULL && (*link)->shape >= thread->shape)
        link = goes_before(thread, *link, processor) ? &(*link)->higher : &(*link)->lower;
    // The subtree here becomes two: what is lower than the thread and what is higher.
    struct placed_thread* rest = *link;
    struct placed_thread **lower = &thread->lower, **higher = &thread->higher;
    *link = thread;
    while (rest != NULL) {
        if (goes_before(thread, rest, processor)) {
            *lower = rest;
            lower = &rest->higher;
            rest = rest->higher;
        } else {
            *higher = rest;
            higher = &rest->lower;
            rest = rest->lower;
        }
    }
    *lower = *higher = NULL;
    queue->count = queue->count + 1;
}

// NULL if the queue is empty.
ALWAYS_INLINE struct placed_thread* run_queue_highest(struct run_queue* queue) {
    struct placed_thread** link = &queue->root;
    if (*link == NULL) return NULL;
    while ((*link)->higher != NULL) link = &(*link)->higher;
    struct placed_thread* thread = *link;
    *link = thread->lower;
    queue->count = queue->count - 1;
    return thread;
}

ALWAYS_INLINE struct placed_thread* run_queue_lowest(struct run_queue* queue) {
    struct placed_thread** link = &queue->root;
    if (*link == NULL) return NULL;
    while ((*link)->lower != NULL) link = &(*link)->lower;
    struct placed_thread* thread = *link;
    *link = thread->higher;
    queue->count = queue->count - 1;
    return thread;
}
