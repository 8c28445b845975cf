// SPDX-License-Identifier: MIT
#pragma once

// Multiple locks (ALL section 3.2): one lock for each of the three central structures.
//
//   ready_lock    ready queue          no two are held at once
//   blocks_lock   free control blocks
//   stacks_lock   free stacks
//
// Lock acquisitions in the life of a null thread: 6. Create: block, queue. Finish: block,
// stack. The processor's next thread: queue, stack. Read without the lock: whether the queue is
// empty.

#define STRATEGY_NAME "multiple-locks"
#define STRATEGY_LOCKS 6
#include "threads/central_queue.h"
#include "threads/central_stacks.h"

static struct lock blocks_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct thread* list; } blocks;

struct own {};

static void strategy_setup(unsigned processors) {
    (void)processors;
}

ALWAYS_INLINE void free_block_put(struct thread* block) {
    package_lock(&blocks_lock);
    block_put(&blocks.list, block);
    package_unlock(&blocks_lock);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    package_lock(&blocks_lock);
    struct thread* thread = block_take(&blocks.list);
    package_unlock(&blocks_lock);
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    central_put(thread);
    return true;
}

static void strategy_refill(void) {
    free_block_put(block_new());
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    central_put(thread);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) {
        free_block_put(finished);
        central_stack_put(stack);
    }
    struct next next = {.thread = central_take()};
    if (next.thread != NULL && is_new(next.thread)) next.stack = central_stack_take();
    return next;
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return central_has_some();
}

static IDLE_FUNCTION void strategy_idle(void) {
    while (!central_has_some() && !threads_stopping) {
    }
}

static void strategy_count(struct thread_counts* counts) {
    counts->blocks_free += blocks_in(blocks.list);
    counts->stacks_free += stacks_in(central_stacks.list);
}
