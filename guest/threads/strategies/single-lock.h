// SPDX-License-Identifier: MIT
#pragma once

// Single lock (ALL section 3.1): one lock for the ready queue, the list of stacks and the list of
// control blocks, held once for each operation.
//
//   central_lock ─ ready (FIFO), free blocks, free stacks (both LIFO)
//
// Lock acquisitions in the life of a null thread: 2, one to create it, one to finish it, where its
// processor takes the next. Read without the lock: whether the ready queue is empty.

#define STRATEGY_NAME "single-lock"

static struct lock central_lock = LOCK_INIT;

// A line: whoever has taken the lock misses once.
static struct {
    LINE_ALIGNED struct thread_queue ready;
    struct thread* blocks;
    struct stack* stacks;
} central;

struct own {};

ALWAYS_INLINE void strategy_setup(void) {}

ALWAYS_INLINE void strategy_create(struct birth birth) {
    package_lock(&central_lock);
    struct thread* thread = central.blocks;
    if (thread == NULL) {
        thread = thread_new();
        thread_fill(thread, birth);
    } else {
        thread_fill(thread, birth);
        central.blocks = thread->next;
    }
    queue_put(&central.ready, thread);
    package_unlock(&central_lock);
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    package_lock(&central_lock);
    queue_put(&central.ready, thread);
    package_unlock(&central_lock);
}

ALWAYS_INLINE struct thread* strategy_next(struct thread* finished, struct stack* its,
                                           struct stack** stack) {
    package_lock(&central_lock);
    if (finished != NULL) {
        finished->next = central.blocks;
        central.blocks = finished;
        its->next = central.stacks;
        central.stacks = its;
    }
    struct thread* thread = queue_take(&central.ready);
    if (thread != NULL && thread->context == NULL) {
        *stack = central.stacks;
        if (*stack != NULL)
            central.stacks = (*stack)->next;
        else
            *stack = stack_new();
    }
    package_unlock(&central_lock);
    return thread;
}

ALWAYS_INLINE bool strategy_idle_look(void) {
    return queue_has_some(&central.ready);
}
