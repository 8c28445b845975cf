// SPDX-License-Identifier: MIT
#pragma once

// Central queue, and local queues while it is busy: the first hybrid in ALL section 3.6. A thread
// goes to the central ready queue; if that is locked, to the queue of the processor that makes it
// ready. A processor searches its own queue, then the central one, then those of the others in ring
// order.
//
//   ready_lock, queues[i].lock    ready queues    no two are held at once
//   pool_lock, stacks_lock        central free lists, rarely
//
// Lock acquisitions in the life of a null thread: 2, both of the queue that it goes through. Read
// without the lock: whether a queue is empty, and whether the central queue is locked.

#define STRATEGY_NAME "local-when-busy"
#define STRATEGY_LOCKS 2
#include "threads/central_queue.h"
#include "threads/local_lists.h"
#include "threads/local_queues.h"

struct own {
    struct local_lists lists;
    struct local_queue* queue;
};

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
    local_queues_setup(processors);
    for (unsigned i = 0; i < processors; i++) own_of(i)->queue = &local_queues[i];
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    if (package_try(&ready_lock)) {
        queue_put(&ready.queue, thread);
        package_unlock(&ready_lock);
    } else {
        local_put(own()->queue, thread);
    }
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    strategy_ready(thread);
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) local_finish(finished, stack);
    struct thread* next = NULL;
    if (!queue_has_some(&own()->queue->ready)) next = central_take();
    if (next == NULL) next = local_take_from(own()->queue);
    return local_start(next);
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return central_has_some() || local_has_some(own()->queue);
}

static IDLE_FUNCTION void strategy_idle(void) {
    struct local_queue* queue = own()->queue;
    while (!central_has_some() && !queue_has_some(&queue->ready) && !threads_stopping)
        queue = queue->neighbour;
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
