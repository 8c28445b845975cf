// SPDX-License-Identifier: MIT
#pragma once

// A central ready queue, central stacks, free control blocks of each processor. Say here in one
// sentence what your strategy is.
// Idea: a thread is created without a lock for its control block. Change the functions to your
// idea; guest/threads/strategy.h says what each of them does and when it is called.
//
//   ready_lock    the ready queue       central_queue.h
//   stacks_lock   the free stacks       central_stacks.h
//
// No two locks are held at once. Read without a lock: whether the queue is empty.

#define STRATEGY_NAME "@NAME@"

#include "threads/central_queue.h"
#include "threads/central_stacks.h"

// Data of each processor; own() is this processor's.
struct own {
    struct thread* blocks;
};

static void strategy_setup(unsigned processors) {
    (void)processors;
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = block_take(&own()->blocks);
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    central_put(thread);
    return true;
}

static void strategy_refill(void) {
    block_put(&own()->blocks, block_new());
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    central_put(thread);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) {
        block_put(&own()->blocks, finished);
        central_stack_put(stack);
    }
    struct next next = {.thread = central_take()};
    if (next.thread != NULL && is_new(next.thread)) next.stack = central_stack_take();
    return next;
}

static IDLE_FUNCTION void strategy_idle(void) {
    while (!central_has_some() && !threads_stopping) {
    }
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < processors(); i++) counts->blocks_free += blocks_in(own_of(i)->blocks);
    counts->stacks_free += stacks_in(central_stacks.list);
}
