// SPDX-License-Identifier: MIT
#pragma once

// The central free list of stacks, shared by all processors, with a lock of its own.

#include "lists.h"

static struct lock stacks_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct stack* list; } central_stacks;

ALWAYS_INLINE void central_stack_put(struct stack* stack) {
    package_lock(&stacks_lock);
    stack_put(&central_stacks.list, stack);
    package_unlock(&stacks_lock);
}

ALWAYS_INLINE struct stack* central_stack_take(void) {
    package_lock(&stacks_lock);
    struct stack* stack = stack_take(&central_stacks.list);
    package_unlock(&stacks_lock);
    return stack != NULL ? stack : stack_new();
}
