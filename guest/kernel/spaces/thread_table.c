// SPDX-License-Identifier: MIT

// The records of kernel threads, and which of them are ready.

#include "threads.h"

#define THREADS_MOST (MAX_SPACES * THREADS_OF_SPACE)

struct kernel_thread kernel_threads[THREADS_MOST];
unsigned kernel_threads_made;
struct spinlock scheduler_lock;

struct ready_threads ready_threads;

// A thread's name has its record and how often that has been used, so it is of one thread.
int thread_id(const struct kernel_thread* thread) {
    const unsigned record = (unsigned)(thread - kernel_threads);
    return (int)((thread->uses & 0x3fffff) * THREADS_MOST + record);
}

struct kernel_thread* thread_named(int id) {
    if (id < 0) return NULL;
    struct kernel_thread* thread = &kernel_threads[id % THREADS_MOST];
    return thread->state != THREAD_FREE && thread_id(thread) == id ? thread : NULL;
}

// Records are used again in their space, with the stack that they have.
struct kernel_thread* take_record(struct user_space* space) {
    spinlock_check_held(&scheduler_lock, __func__);
    struct kernel_thread* thread = space->free_threads;
    if (thread != NULL) {
        space->free_threads = (struct kernel_thread*)thread->link.next;
        return thread;
    }
    if (space->threads == THREADS_OF_SPACE) return NULL;
    thread = &kernel_threads[kernel_threads_made];
    thread->stack = map_new(&space, 1, THREAD_STACK_PAGES);
    if (thread->stack == 0) return NULL;
    kernel_threads_made++;
    space->threads++;
    thread->home = space;
    return thread;
}

void make_ready(struct kernel_thread* thread) {
    spinlock_check_held(&scheduler_lock, __func__);
    thread->state = THREAD_READY;
    list_put(&ready_threads.list, &thread->link);
}

void stop_thread(struct kernel_thread* self, const struct trap_frame* frame) {
    spinlock_check_held(&scheduler_lock, __func__);
    self->state = THREAD_BLOCKED;
    self->frame = *frame;
}
