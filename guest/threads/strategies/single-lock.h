// SPDX-License-Identifier: MIT
#pragma once

// Single lock (ALL section 3.1): one lock for the ready queue and the free lists of blocks and
// stacks, acquired once per operation. Read without the lock: whether the queue is empty.
//
//   central_lock   ready queue, free blocks, free stacks: all in one line
//
// Lock acquisitions in the life of a null thread: to create it; to finish it and take the next one.

#define STRATEGY_NAME "single-lock"
#define STRATEGY_LOCKS 2

static struct lock central_lock = LOCK_INIT;

static struct {
    LINE_ALIGNED struct thread_queue ready;
    struct thread* blocks;
    struct stack* stacks;
} central;

struct own {};

static void strategy_setup(unsigned processors) {
    (void)processors;
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    package_lock(&central_lock);
    struct thread* thread = block_take(&central.blocks);
    if (thread != NULL) {
        thread_fill(thread, birth);
        queue_put(&central.ready, thread);
    }
    package_unlock(&central_lock);
    return thread != NULL;
}

static void strategy_refill(void) {
    struct thread* block = block_new();
    package_lock(&central_lock);
    block_put(&central.blocks, block);
    package_unlock(&central_lock);
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    package_lock(&central_lock);
    queue_put(&central.ready, thread);
    package_unlock(&central_lock);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack == NULL && !queue_has_some(&central.ready)) return (struct next){.thread = NULL};
    package_lock(&central_lock);
    if (stack != NULL) {
        block_put(&central.blocks, finished);
        stack_put(&central.stacks, stack);
    }
    struct next next = {.thread = queue_take(&central.ready)};
    if (next.thread != NULL && is_new(next.thread)) {
        next.stack = stack_take(&central.stacks);
        if (next.stack == NULL) next.stack = stack_new();
    }
    package_unlock(&central_lock);
    return next;
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return queue_has_some(&central.ready);
}

static IDLE_FUNCTION void strategy_idle(void) {
    while (!queue_has_some(&central.ready) && !threads_stopping) {
    }
}

static void strategy_count(struct thread_counts* counts) {
    counts->blocks_free += blocks_in(central.blocks);
    counts->stacks_free += stacks_in(central.stacks);
}
