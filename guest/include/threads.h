// SPDX-License-Identifier: MIT
#pragma once

// Threads, many more than processors, after ALL section 2. The strategy, which manages ready queues
// and free lists, is chosen when a program is built: STRATEGY in symsim_guest(), a file of
// guest/threads/strategies/. There is no preemption: a thread keeps its processor until it blocks,
// yields or finishes.

#include <stdbool.h>
#include <stddef.h>

#include "lock.h"

typedef void thread_function(void* argument);
struct thread;

#ifdef SYMSIM_POSIX
#define THREAD_STACK_BYTES (64 * 1024)  // programs of pthread.h expect more than the paper's
#else
#define THREAD_STACK_BYTES (16 * 1024)  // over 100 times a control block, ALL section 2
#endif
#define THREAD_COPY_BYTES 64

// Arguments in registers: each pushed argument is a store on the bus, 16 clocks (ALL Table 3.1).
#define THREAD_CALL __attribute__((regparm(3)))

// Runs function(argument) as the first thread, and all that it creates, on all processors. Returns
// when the first has finished and no thread is ready. For processor 0, in main.
void threads_run(thread_function* function, void* argument);

// ---- operations of threads (ALL Table 2.1). A thread starts when a processor is free for it, and
// finishes by returning from its function. ----
THREAD_CALL void thread_create(thread_function* function, void* argument);
// The argument points to a copy of up to THREAD_COPY_BYTES, which is stored in the thread.
THREAD_CALL void thread_create_copy(thread_function* function, const void* data, size_t bytes);
THREAD_CALL void thread_yield(void);
THREAD_CALL struct thread* thread_self(void);
// For waits of your own. Blocks the caller, then releases `lock`, which the caller holds; it guards
// where the caller has stored its thread_self(). Another thread takes that and signals it, once.
THREAD_CALL void thread_block(struct lock* lock);
THREAD_CALL void thread_signal(struct thread* thread);
// The slot for such locks: a thread holds one at a time, and blocks only in thread_block meanwhile.
THREAD_CALL struct lock_slot* thread_lock_slot(void);

// ---- synchronisation: a thread that has to wait gives its processor to another thread. Waiters
// are served first come, first served. ----
struct thread_queue {
    struct thread *head, *tail;  // empty if head is NULL
};
#define THREAD_QUEUE_INIT \
    { NULL, NULL }

// unlock() hands the mutex to the first waiter, if there is one.
struct thread_mutex {
    struct lock lock;
    bool held;
    struct thread_queue waiters;
};
#define THREAD_MUTEX_INIT \
    { LOCK_INIT, false, THREAD_QUEUE_INIT }
THREAD_CALL void thread_mutex_lock(struct thread_mutex* mutex);
THREAD_CALL void thread_mutex_unlock(struct thread_mutex* mutex);

// Condition variable of a mutex, which waiters hold before and after the wait. A signal wakes the
// first waiter; there are no spurious wake-ups.
struct thread_condition {
    struct thread_mutex* mutex;
    struct thread_queue waiters;
};
#define THREAD_CONDITION_INIT(mutex) \
    { mutex, THREAD_QUEUE_INIT }
THREAD_CALL void thread_condition_wait(struct thread_condition* condition);
THREAD_CALL void thread_condition_signal(struct thread_condition* condition);
THREAD_CALL void thread_condition_broadcast(struct thread_condition* condition);

struct thread_semaphore {
    struct lock lock;
    unsigned count;
    struct thread_queue waiters;
};
#define THREAD_SEMAPHORE_INIT(count) \
    { LOCK_INIT, count, THREAD_QUEUE_INIT }
THREAD_CALL void thread_semaphore_wait(struct thread_semaphore* semaphore);
THREAD_CALL void thread_semaphore_post(struct thread_semaphore* semaphore);

// Opens when `count` threads have arrived; reusable.
struct thread_barrier {
    struct lock lock;
    unsigned count, missing;
    struct thread_queue waiters;
};
#define THREAD_BARRIER_INIT(count) \
    { LOCK_INIT, count, count, THREAD_QUEUE_INIT }
THREAD_CALL void thread_barrier_wait(struct thread_barrier* barrier);

// A thread that can be joined. The struct must not move until it has been joined, once.
struct thread_task {
    thread_function* function;
    void* argument;
    struct thread_semaphore done;
};
void thread_fork(struct thread_task* task, thread_function* function, void* argument);
THREAD_CALL void thread_join(struct thread_task* task);

// ---- counts, while no thread runs: blocks and stacks made by the package, and in free lists ----
struct thread_counts {
    unsigned blocks_made, blocks_free;
    unsigned stacks_made, stacks_free;
    unsigned local_blocks_most;  // largest number of free blocks at one processor
#ifdef COUNT_LISTS               // list_counts.h; both are 0 without local lists
    unsigned whole_lists;        // lists of blocks from one access of the pool to the next
    unsigned list_accesses;      // accesses of local lists in them
#endif
};
struct thread_counts threads_count(void);
