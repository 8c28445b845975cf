// SPDX-License-Identifier: MIT
#pragma once

// Local free lists (ALL section 3.3): blocks and stacks per processor, a central ready queue.
//
//   ready_lock    ready queue           no two are held at once
//   pool_lock     central free blocks   rarely
//   stacks_lock   central free stacks   rarely
//
// Lock acquisitions in the life of a null thread: 2, both of the ready queue: to create the thread,
// and to take the next one. Read without the lock: whether the queue is empty.

#define STRATEGY_NAME "local-freelist"
#define STRATEGY_LOCKS 2
#include "threads/central_queue.h"
#include "threads/local_lists.h"

struct own {
    struct local_lists lists;
};

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    central_put(thread);
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    central_put(thread);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) local_finish(finished, stack);
    return local_start(central_take());
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return central_has_some();
}

static IDLE_FUNCTION void strategy_idle(void) {
    while (!central_has_some() && !threads_stopping) {
    }
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
