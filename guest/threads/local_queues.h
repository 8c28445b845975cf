// SPDX-License-Identifier: MIT
#pragma once

// Per-processor ready queues, linked in a ring: a processor that finds one empty tries the next.

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

// Takes a thread from the first queue that has one, beginning with `own`; NULL if all are empty. A
// queue that reads as empty is not locked.
ALWAYS_INLINE struct thread* local_take_from(struct local_queue* own) {
    struct local_queue* queue = own;
    do {
        EXAMINING();
        if (queue_has_some(&queue->ready)) {
            package_lock(&queue->lock);
            struct thread* thread = queue_take(&queue->ready);
            package_unlock(&queue->lock);
            if (thread != NULL) return thread;
        }
        queue = queue->neighbour;
    } while (queue != own);
    return NULL;
}
