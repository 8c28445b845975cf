// SPDX-License-Identifier: MIT
#pragma once

// Queues and lists as all strategies have them. Each store is a bus write of 16 clocks for which
// the next access waits (docs/calibration.md), so they are built to need few. Who calls has the
// lock.

#include "package.h"

// ---- ready threads, first in first out: two stores to put one in, one to take one out. Empty if
// there is no head; the tail then says nothing. ----
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

// A look without the lock, the only kind there is: is it worth locking? (ALL section 3.1, ALL-79)
ALWAYS_INLINE bool queue_has_some(const struct thread_queue* queue) {
    return *(struct thread* const volatile*)&queue->head != NULL;
}

// ---- free control blocks and free stacks, last in first out ----
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

// ---- memory.c: when a list is empty ----
struct thread* block_new(void);
struct stack* stack_new(void);
extern volatile unsigned blocks_made, stacks_made;
