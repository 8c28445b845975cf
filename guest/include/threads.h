// SPDX-License-Identifier: MIT
#pragma once

// Threads, many more than processors, after ALL section 2. Which strategy holds its queues and free
// lists is chosen when a program is built: STRATEGY in symsim_guest(), a file of
// guest/threads/strategies/. Nobody is preempted: a thread has its processor until it blocks,
// yields or finishes.

#include <stdbool.h>
#include <stddef.h>

#include "lock.h"

typedef void thread_function(void* argument);
struct thread;

#define THREAD_STACK_BYTES (16 * 1024)  // over 100 times a control block, ALL section 2
#define THREAD_COPY_BYTES 64

// Arguments in registers: each that is pushed is a store on the bus, 16 clocks (ALL Table 3.1).
#define THREAD_CALL __attribute__((regparm(3)))

// Runs function(argument) as the first thread, and all it creates, on all processors. Returns when
// the first thread has finished and nothing is left to run. By processor 0, from main.
void threads_run(thread_function* function, void* argument);

// ---- what threads do (ALL Table 2.1). A thread starts when a processor has time for it, and
// finishes by returning from its function. ----
THREAD_CALL void thread_create(thread_function* function, void* argument);
// The argument points to a copy of up to THREAD_COPY_BYTES that goes with the thread.
THREAD_CALL void thread_create_copy(thread_function* function, const void* data, size_t bytes);
THREAD_CALL void thread_yield(void);
THREAD_CALL struct thread* thread_self(void);
// For waits of your own. Blocks the caller, then gives back `lock`, which it holds and which guards
// where it has left its thread_self() for others. They take it from there and signal it, once.
THREAD_CALL void thread_block(struct lock* lock);
THREAD_CALL void thread_signal(struct thread* thread);
// The slot for such locks: one is held at a time, and nothing blocks meanwhile but thread_block.
THREAD_CALL struct lock_slot* thread_lock_slot(void);

// ---- waiting for each other: whoever has to wait gives its processor to another thread, and is
// served in the order of arrival ----
struct thread_queue {
    struct thread *head, *tail;  // empty if there is no head
};
#define THREAD_QUEUE_INIT \
    { NULL, NULL }

// Who unlocks a mutex that others wait for hands it to the first of them.
struct thread_mutex {
    struct lock lock;
    bool held;
    struct thread_queue waiters;
};
#define THREAD_MUTEX_INIT \
    { LOCK_INIT, false, THREAD_QUEUE_INIT }
THREAD_CALL void thread_mutex_lock(struct thread_mutex* mutex);
THREAD_CALL void thread_mutex_unlock(struct thread_mutex* mutex);

// Of a mutex, which who waits holds before and after. A signal wakes the first; nobody wakes
// without one.
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

// Opens when `count` threads have come, again and again.
struct thread_barrier {
    struct lock lock;
    unsigned count, missing;
    struct thread_queue waiters;
};
#define THREAD_BARRIER_INIT(count) \
    { LOCK_INIT, count, count, THREAD_QUEUE_INIT }
THREAD_CALL void thread_barrier_wait(struct thread_barrier* barrier);

// A thread somebody waits for. The task stays where it is until it has been joined, once.
struct thread_task {
    thread_function* function;
    void* argument;
    struct thread_semaphore done;
};
void thread_fork(struct thread_task* task, thread_function* function, void* argument);
THREAD_CALL void thread_join(struct thread_task* task);

// ---- when nothing runs: what the package has made, and what lies in its free lists ----
struct thread_counts {
    unsigned blocks_made, blocks_free;
    unsigned stacks_made, stacks_free;
    unsigned local_blocks_most;  // free blocks at one processor
};
struct thread_counts threads_count(void);
