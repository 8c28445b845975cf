// SPDX-License-Identifier: MIT

// Makes control blocks and stacks when no free list has one. They never return to the heap.

#include "lists.h"
#include "stdlib.h"
#include "symsim.h"

#define BLOCKS_AT_ONCE 32

volatile unsigned blocks_made, stacks_made;

static struct lock memory_lock = LOCK_INIT;  // guards the words below
static struct thread* left;                  // blocks made, but not yet given out
static unsigned left_count;

void thread_returned(void);  // switch.S

static void* memory(size_t bytes) {
    void* memory = malloc(bytes);
    if (memory == NULL) panic("threads: no memory for %u stacks", stacks_made + 1);
    return memory;
}

// Blocks are aligned to cache lines.
THREADS_FUNCTION struct thread* block_new(void) {
    package_lock(&memory_lock);
    if (left_count == 0) {
        uintptr_t chunk = (uintptr_t)memory(BLOCKS_AT_ONCE * sizeof(struct thread) + LINE_BYTES);
        left = (struct thread*)((chunk + LINE_BYTES - 1) & -(uintptr_t)LINE_BYTES);
        left_count = BLOCKS_AT_ONCE;
    }
    struct thread* thread = left++;
    left_count--;
    blocks_made++;
    package_unlock(&memory_lock);
    thread->context = NULL;
    return thread;
}

// Stacks are allocated one by one: the heap's own words between them shift their addresses, so that
// stacks do not all begin in the same set of the cache.
THREADS_FUNCTION struct stack* stack_new(void) {
#ifdef SYMSIM_POSIX
    struct stack* stack = guarded_stack(sizeof(struct stack));
    if (stack == NULL) panic("threads: no memory for %u stacks", stacks_made + 1);
#else
    struct stack* stack = memory(sizeof(struct stack));
#endif
    stack->returns_to = (void*)thread_returned;
#ifdef THREADS_CHECKED
    for (unsigned i = 0; i < STACK_MARKS; i++) stack->room[i] = STACK_MARK;
#endif
    __asm__ volatile("lock incl %0" : "+m"(stacks_made) : : "memory", "cc");
    return stack;
}
