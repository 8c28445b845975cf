// SPDX-License-Identifier: MIT
#pragma once

// The central version of memory-conscious.h, with which Steckermeier & Bellosa (1995,
// section 7.2.2) compare: one start queue, one run queue and one pool for all processors. No
// places, no affinity.
//
//   start        startable threads: created, without a stack    no two are held at once
//   ready_lock   runnable threads: woken or yielding
//   pool_lock    free blocks
//   stacks_lock  free stacks
//
// A processor takes a runnable thread, else a startable one, and gives it a stack. Threads that
// yield run after startable ones, for which they may be waiting: they go to a run queue of their
// own, also under ready_lock.
//
// Lock acquisitions in the life of a null thread: 6. Create: block, start queue. Finish: block,
// stack. The processor's next thread: start queue, stack. Read without the lock: whether a queue is
// empty.

#define STRATEGY_NAME "central-pools"
#define STRATEGY_SPECIAL "for the claims MTH: what memory-conscious is compared with"
#define STRATEGY_LOCKS 6
#include "threads/central_queue.h"
#include "threads/central_stacks.h"
#include "threads/start_queue.h"

static struct lock pool_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct thread* blocks; } pool;
static struct start_queue start = {.lock = LOCK_INIT};
static struct { LINE_ALIGNED struct thread_queue queue; } yielded;

struct own {
    struct thread* running;
};

static void strategy_setup(unsigned processors) {
    (void)processors;
}

ALWAYS_INLINE void pool_put(struct thread* block) {
    package_lock(&pool_lock);
    block_put(&pool.blocks, block);
    package_unlock(&pool_lock);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    package_lock(&pool_lock);
    struct thread* thread = block_take(&pool.blocks);
    package_unlock(&pool_lock);
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    startable_put(&start, thread);
    return true;
}

static void strategy_refill(void) {
    pool_put(block_new());
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    package_lock(&ready_lock);
    queue_put(own()->running == thread ? &yielded.queue : &ready.queue, thread);
    package_unlock(&ready_lock);
}

ALWAYS_INLINE bool yielded_has_some(void) {
    return queue_has_some(&yielded.queue);
}

static THREADS_FUNCTION struct thread* yielded_take(void) {
    package_lock(&ready_lock);
    struct thread* thread = queue_take(&yielded.queue);
    package_unlock(&ready_lock);
    return thread;
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    own()->running = NULL;
    if (stack != NULL) {
        pool_put(finished);
        central_stack_put(stack);
    }
    struct next next = {.thread = central_take()};
    if (next.thread == NULL) next.thread = startable_take(&start);
    if (next.thread == NULL && yielded_has_some()) next.thread = yielded_take();
    if (next.thread == NULL) return next;
    own()->running = next.thread;
    if (is_new(next.thread)) next.stack = central_stack_take();
    return next;
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return central_has_some() || startable_has_some(&start) || yielded_has_some();
}

static IDLE_FUNCTION void strategy_idle(void) {
    while (!strategy_has_ready() && !threads_stopping) {
    }
}

static void strategy_count(struct thread_counts* counts) {
    counts->blocks_free += blocks_in(pool.blocks);
    counts->stacks_free += stacks_in(central_stacks.list);
}
