// SPDX-License-Identifier: MIT
#pragma once

// Per-processor free lists of control blocks and stacks, used without a lock (ALL section 3.3).
// Central lists balance them.
//
// Blocks: a processor has up to two lists of `half` = T/2 blocks, T = number of processors: one in
// use, one in reserve. Only whole lists of `half` blocks go to the central pool or come from it. So
// each pool access is followed by at least `half` - 1 accesses that need no lock (claim ALL-39).
// The first block of a list has the list's length in `depth`.
//
// Stacks are 170 times as large: a processor has at most one, the others are in the central list.

#include "central_stacks.h"
#include "list_counts.h"
#include "lists.h"

struct local_lists {
    struct thread* blocks;
    struct thread* reserve;  // empty, or `half` blocks long
    struct stack* stack;
    LIST_COUNTS
};

ALWAYS_INLINE struct local_lists* lists(void);  // this processor's lists

static struct lock pool_lock = LOCK_INIT;
static struct {
    LINE_ALIGNED struct thread* lists;  // each of `half` blocks, linked by `next_list`
} pool;
static unsigned half;

static void local_lists_setup(unsigned processors) {
    half = (processors + 1) / 2;
}

static THREADS_FUNCTION struct thread* pool_take(void) {
    struct thread* list;
    POOL_ACCESSED();
    package_lock(&pool_lock);
    list = pool.lists;
    if (list != NULL) pool.lists = list->next_list;
    package_unlock(&pool_lock);
    return list;
}

// Called when the list in use is empty.
static THREADS_FUNCTION void local_blocks_refill(void) {
    struct local_lists* own = lists();
    own->blocks = own->reserve != NULL ? own->reserve : pool_take();
    own->reserve = NULL;
    if (own->blocks != NULL) return;
    for (unsigned depth = 1; depth <= half; depth++) {
        struct thread* block = block_new();
        block->depth = depth;
        block_put(&own->blocks, block);
    }
}

// Called when the list in use is full.
static THREADS_FUNCTION void blocks_set_aside(void) {
    struct thread* full = lists()->reserve;
    lists()->reserve = lists()->blocks;
    lists()->blocks = NULL;
    if (full == NULL) return;
    POOL_ACCESSED();
    package_lock(&pool_lock);
    full->next_list = pool.lists;
    pool.lists = full;
    package_unlock(&pool_lock);
}

// NULL if the list in use is empty: then call local_blocks_refill().
ALWAYS_INLINE struct thread* local_block_take(void) {
    struct thread* block = block_take(&lists()->blocks);
    if (block != NULL) LIST_ACCESSED();
    return block;
}

ALWAYS_INLINE void local_block_put(struct thread* block) {
    struct local_lists* own = lists();
    struct thread* head = own->blocks;
    unsigned depth = 1;
    if (head != NULL) {
        depth = head->depth + 1;
        if (depth > half) {
            blocks_set_aside();
            head = NULL;
            depth = 1;
        }
    }
    if (block->depth != depth) block->depth = depth;  // usually unchanged: no store
    block->next = head;
    own->blocks = block;
    LIST_ACCESSED();
}

ALWAYS_INLINE struct stack* local_stack_take(void) {
    struct local_lists* own = lists();
    struct stack* stack = own->stack;
    if (stack == NULL) return central_stack_take();
    own->stack = NULL;
    return stack;
}

ALWAYS_INLINE void local_stack_put(struct stack* stack) {
    struct local_lists* own = lists();
    if (own->stack == NULL)
        own->stack = stack;
    else
        central_stack_put(stack);
}

// Frees the control block and the stack of a finished thread.
ALWAYS_INLINE void local_finish(struct thread* finished, struct stack* stack) {
    local_block_put(finished);
    local_stack_put(stack);
}

// The thread to run, or NULL; a new thread gets a stack.
ALWAYS_INLINE struct next local_start(struct thread* thread) {
    struct next next = {.thread = thread};
    if (thread != NULL && is_new(thread)) next.stack = local_stack_take();
    return next;
}

static void local_lists_count(const struct local_lists* of, struct thread_counts* counts) {
    unsigned blocks = blocks_in(of->blocks) + blocks_in(of->reserve);
    counts->blocks_free += blocks;
    if (counts->local_blocks_most < blocks) counts->local_blocks_most = blocks;
    counts->stacks_free += of->stack != NULL;
    ADD_LIST_COUNTS(of, counts);
}

static void central_lists_count(struct thread_counts* counts) {
    for (struct thread* list = pool.lists; list != NULL; list = list->next_list)
        counts->blocks_free += blocks_in(list);
    counts->stacks_free += stacks_in(central_stacks.list);
}
