// SPDX-License-Identifier: MIT
#pragma once

// Free control blocks and stacks of each processor, used without a lock, and a pool of each node
// (MTH sections 4.3, 7.1.1). Last in, first out: what is free was used here last.
//
// Blocks: a processor has at most M = POOL_LIMIT of them. If one more is freed it moves M/2 to the
// pool of its node, and when it has none it takes M/2 from there. So there is at most one access of
// the pool for M/2 accesses of the list (claim MTH-27). In the pool are lists of M/2, linked by
// `next_list` of their first block.
// Stacks: at most STACKS_KEPT; one at a time moves to the pool or from it.
//
// What a pool does not have is made, in memory that no processor has touched yet: blocks in a page
// of the processor's own, the heap's next stack.

#include "list_counts.h"
#include "lists.h"
#include "number.h"
#include "placed.h"
#include "stdlib.h"

#ifndef POOL_LIMIT
#define POOL_LIMIT 16  // M; a guess, the paper has no number
#endif
#ifndef STACKS_KEPT
#define STACKS_KEPT 2  // 32 KB; a guess
#endif
_Static_assert(POOL_LIMIT >= 2 && POOL_LIMIT % 2 == 0, "half of it moves at once");

#define BLOCKS_IN_PAGE (4096 / sizeof(struct placed_thread))

static const unsigned half = POOL_LIMIT / 2;

// Used by its processor only.
struct local_lists {
    struct thread* blocks;
    unsigned block_count;
    unsigned stack_count;
    struct stack* stacks;
    struct placed_thread* fresh;  // of the page from which this processor makes blocks
    unsigned fresh_count;
    uint32_t random;
    LIST_COUNTS
};

struct pool {
    struct lock blocks_lock, stacks_lock;
    LINE_ALIGNED struct thread* lists;
    LINE_ALIGNED struct stack* stacks;
};

ALWAYS_INLINE struct local_lists* lists(void);  // this processor's lists
ALWAYS_INLINE struct pool* near_pool(void);     // its node's

static THREADS_FUNCTION struct thread* blocks_from_pool(void) {
    struct pool* pool = near_pool();
    POOL_ACCESSED();
    package_lock(&pool->blocks_lock);
    struct thread* list = pool->lists;
    if (list != NULL) pool->lists = list->next_list;
    package_unlock(&pool->blocks_lock);
    return list;
}

static struct thread* placed_block_new(struct local_lists* own) {
    if (own->fresh_count == 0) {
        uintptr_t page = (uintptr_t)malloc(2 * 4096);
        if (page == 0) panic("threads: no memory for more control blocks");
        own->fresh = (struct placed_thread*)((page + 4095) & -4096u);
        own->fresh_count = BLOCKS_IN_PAGE;
    }
    struct placed_thread* block = own->fresh++;
    own->fresh_count--;
    block->thread.context = NULL;
    block->shape = number_below(&own->random, UINT32_MAX);
    __asm__ volatile("lock incl %0" : "+m"(blocks_made) : : "memory", "cc");
    return &block->thread;
}

// Called when this processor has no block.
static THREADS_FUNCTION void pooled_blocks_refill(void) {
    struct local_lists* own = lists();
    own->blocks = blocks_from_pool();
    own->block_count = half;
    if (own->blocks != NULL) return;
    if (own->random == 0) own->random = random_next();
    for (unsigned i = 0; i < half; i++) block_put(&own->blocks, placed_block_new(own));
}

static THREADS_FUNCTION void blocks_to_pool(void) {
    struct local_lists* own = lists();
    struct pool* pool = near_pool();
    struct thread* list = own->blocks;
    struct thread* last = list;
    for (unsigned i = 1; i < half; i++) last = last->next;
    own->blocks = last->next;
    own->block_count -= half;
    last->next = NULL;
    POOL_ACCESSED();
    package_lock(&pool->blocks_lock);
    list->next_list = pool->lists;
    pool->lists = list;
    package_unlock(&pool->blocks_lock);
}

// NULL if this processor has no block: then call pooled_blocks_refill().
ALWAYS_INLINE struct thread* pooled_block_take(void) {
    struct local_lists* own = lists();
    struct thread* block = block_take(&own->blocks);
    if (block == NULL) return NULL;
    own->block_count--;
    LIST_ACCESSED();
    return block;
}

ALWAYS_INLINE void pooled_block_put(struct thread* block) {
    struct local_lists* own = lists();
    if (own->block_count == POOL_LIMIT) blocks_to_pool();
    block_put(&own->blocks, block);
    own->block_count++;
    LIST_ACCESSED();
}

static THREADS_FUNCTION struct stack* stack_from_pool(void) {
    struct pool* pool = near_pool();
    package_lock(&pool->stacks_lock);
    struct stack* stack = stack_take(&pool->stacks);
    package_unlock(&pool->stacks_lock);
    return stack != NULL ? stack : stack_new();
}

static THREADS_FUNCTION void stack_to_pool(struct stack* stack) {
    struct pool* pool = near_pool();
    package_lock(&pool->stacks_lock);
    stack_put(&pool->stacks, stack);
    package_unlock(&pool->stacks_lock);
}

ALWAYS_INLINE struct stack* pooled_stack_take(void) {
    struct local_lists* own = lists();
    struct stack* stack = stack_take(&own->stacks);
    if (stack == NULL) return stack_from_pool();
    own->stack_count--;
    return stack;
}

ALWAYS_INLINE void pooled_stack_put(struct stack* stack) {
    struct local_lists* own = lists();
    if (own->stack_count == STACKS_KEPT) {
        stack_to_pool(stack);
    } else {
        stack_put(&own->stacks, stack);
        own->stack_count++;
    }
}

static void local_lists_count(const struct local_lists* of, struct thread_counts* counts) {
    counts->blocks_free += of->block_count;
    THREADS_CHECK(blocks_in(of->blocks) == of->block_count, "a list of blocks was miscounted");
    if (counts->local_blocks_most < of->block_count) counts->local_blocks_most = of->block_count;
    counts->stacks_free += stacks_in(of->stacks);
    ADD_LIST_COUNTS(of, counts);
}

static void pool_count(const struct pool* pool, struct thread_counts* counts) {
    for (struct thread* list = pool->lists; list != NULL; list = list->next_list)
        counts->blocks_free += blocks_in(list);
    counts->stacks_free += stacks_in(pool->stacks);
}
