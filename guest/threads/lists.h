// SPDX-License-Identifier: MIT
#pragma once

// Queues and free lists that all strategies use. Each store is a bus write of 16 clocks, and the
// next access waits for it (see calibration.md). So the operations need few stores. The caller
// holds the lock.

#include "package.h"

// ---- ready queue, first in first out: two stores to put a thread in, one to take one out. The
// queue is empty if head is NULL; tail is then undefined. ----
ALWAYS_INLINE void queue_put(struct thread_queue* queue, struct thread* thread) {
    if (queue->head == NULL)
        queue->head = thread;
    else
        queue->tail->next = thread;
    queue->tail = thread;
}

ALWAYS_INLINE struct thread* queue_take(struct thread_queue* queue) {
    struct thread* thread = queue->head;
    if (thread != NULL) queue->head = thread == queue->tail ? NULL : thread->next;
    return thread;
}

// The only unlocked read of a queue: is it worth locking? (ALL section 3.1, claim ALL-79)
ALWAYS_INLINE bool queue_has_some(const struct thread_queue* queue) {
    return *(struct thread* const volatile*)&queue->head != NULL;
}

// ---- free lists of control blocks and of stacks, last in first out ----
ALWAYS_INLINE void block_put(struct thread** list, struct thread* block) {
    block->next = *list;
    *list = block;
}

ALWAYS_INLINE struct thread* block_take(struct thread** list) {
    struct thread* block = *list;
    if (block != NULL) *list = block->next;
    return block;
}

ALWAYS_INLINE void stack_put(struct stack** list, struct stack* stack) {
    stack->next = *list;
    *list = stack;
}

ALWAYS_INLINE struct stack* stack_take(struct stack** list) {
    struct stack* stack = *list;
    if (stack != NULL) *list = stack->next;
    return stack;
}

static inline unsigned blocks_in(const struct thread* list) {
    unsigned count = 0;
    for (; list != NULL; list = list->next) count++;
    return count;
}

static inline unsigned stacks_in(const struct stack* list) {
    unsigned count = 0;
    for (; list != NULL; list = list->next) count++;
    return count;
}

// ---- memory.c: makes a block or a stack when the free list is empty ----
struct thread* block_new(void);
struct stack* stack_new(void);
extern volatile unsigned blocks_made, stacks_made;
