// SPDX-License-Identifier: MIT
#pragma once

// Local ready queues (ALL section 3.5): free lists and a ready queue with a lock, per processor. A
// processor searches its own queue first, then those of the others in ring order.
//
//   queues[i].lock  ready queue of processor i   no two are held at once
//   pool_lock, stacks_lock                       central free lists, rarely
//
// Lock acquisitions in the life of a null thread: 2, both of the queue that it goes through. Read
// without the lock: whether a queue is empty.
//
// A thread goes to the queue of the processor that makes it ready. With PLACE_AT_RANDOM a new
// thread goes to a queue drawn at random, all equally likely (ALL section 3.5).

#ifndef STRATEGY_NAME
#define STRATEGY_NAME "local-readyq"
#endif
#define STRATEGY_LOCKS 2
#include "threads/local_lists.h"
#include "threads/local_queues.h"

struct own {
    struct local_lists lists;
    struct local_queue* queue;
    uint32_t random;
};

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
    local_queues_setup(processors);
    for (unsigned i = 0; i < processors; i++) {
        own_of(i)->queue = &local_queues[i];
        own_of(i)->random = random_next();
    }
}

ALWAYS_INLINE struct local_queue* queue_for_new(void) {
#ifdef PLACE_AT_RANDOM
    return any_local_queue(&own()->random);
#else
    return own()->queue;
#endif
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    local_put(queue_for_new(), thread);
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    local_put(own()->queue, thread);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) local_finish(finished, stack);
    return local_start(local_take_from(own()->queue));
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return local_has_some(own()->queue);
}

static IDLE_FUNCTION void strategy_idle(void) {
    struct local_queue* queue = own()->queue;
    while (!queue_has_some(&queue->ready) && !threads_stopping) queue = queue->neighbour;
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
