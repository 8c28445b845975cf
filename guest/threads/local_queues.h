// SPDX-License-Identifier: MIT
#pragma once

// Per-processor ready queues, linked in a ring: a processor that finds one empty or busy tries the
// next.

#include "kept_in_memory.h"
#include "lists.h"
#include "number.h"

// Runs before each test of a queue; workloads/searching.c counts the tests with it.
#ifndef EXAMINING
#define EXAMINING()
#endif

static struct local_queue {
    struct lock lock;
    LINE_ALIGNED struct thread_queue ready;
    struct local_queue* neighbour;
} local_queues[MAX_PROCESSORS] = {[0 ... MAX_PROCESSORS - 1] = {.lock = LOCK_INIT}};

static unsigned local_queues_used;

static void local_queues_setup(unsigned processors) {
    local_queues_used = processors;
    for (unsigned i = 0; i < processors; i++)
        local_queues[i].neighbour = &local_queues[(i + 1) % processors];
}

ALWAYS_INLINE struct local_queue* any_local_queue(uint32_t* random) {
    return &local_queues[number_below(random, local_queues_used)];
}

ALWAYS_INLINE void local_put(struct local_queue* queue, struct thread* thread) {
    package_lock(&queue->lock);
    queue_put(&queue->ready, thread);
    package_unlock(&queue->lock);
}

// Takes a thread from the queue. A queue that reads as empty is not locked. If the lock is held,
// returns NULL and sets *passed_over.
ALWAYS_INLINE struct thread* local_take(struct local_queue* queue, bool* passed_over) {
    if (!queue_has_some(&queue->ready)) return NULL;
    if (!package_lock_unless_held(&queue->lock)) {
        *passed_over = true;
        return NULL;
    }
    struct thread* thread = queue_take(&queue->ready);
    package_unlock(&queue->lock);
    return thread;
}

// One tour: takes a thread from the first queue that has one and is not locked, beginning with
// `own`. A busy queue is passed over (ALL section 3.5), and *passed_over then says that NULL does
// not mean that all are empty. The loop is the scan that ALL section 3.7 counts.
ALWAYS_INLINE struct thread* local_tour(struct local_queue* own, bool* passed_over) {
    struct local_queue* KEPT_IN_MEMORY begin = own;
    struct local_queue* KEPT_IN_MEMORY queue = begin;
    do {
        EXAMINING();
        struct thread* thread = local_take(queue, passed_over);
        if (thread != NULL) return thread;
        queue = queue->neighbour;
    } while (queue != begin);
    return NULL;
}

// Is there a thread in any queue? One tour, without locks.
ALWAYS_INLINE bool local_has_some(const struct local_queue* own) {
    const struct local_queue* queue = own;
    do {
        if (queue_has_some(&queue->ready)) return true;
        queue = queue->neighbour;
    } while (queue != own);
    return false;
}

// Makes tours until a thread is found. NULL if a tour has seen each queue empty: only then may a
// processor stop.
ALWAYS_INLINE struct thread* local_take_from(struct local_queue* own) {
    struct thread* thread;
    bool passed_over;
    do {
        passed_over = false;
        thread = local_tour(own, &passed_over);
    } while (thread == NULL && passed_over);
    return thread;
}
