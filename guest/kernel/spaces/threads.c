// SPDX-License-Identifier: MIT

// Kernel threads (kernel_threads.h): their beginning and end, and signals.

#include "threads.h"

#include "message.h"

#define SIGNALS_MOST 255

int thread_fork(struct user_space* space, uint32_t entry, uint32_t function, uint32_t argument) {
    int id = -1;
    spinlock_acquire(&scheduler_lock);
    struct kernel_thread* thread = take_record(space);
    if (thread != NULL) {
        thread->uses++;
        thread->space = space;
        thread->signals = (struct signals){{0}};
        begin_frame(&thread->frame, entry, thread->stack + THREAD_STACK_PAGES * PAGE_BYTES - 16,
                    function, argument);
        make_ready(thread);
        id = thread_id(thread);
    }
    spinlock_release(&scheduler_lock);
    return id;
}

void free_thread(struct kernel_thread* thread) {
    if (thread->client != NULL) message_unanswered(thread);
    thread->state = THREAD_FREE;
    thread->link.next = (struct link*)thread->home->free_threads;
    thread->home->free_threads = thread;
    if (thread->joiner != NULL) make_ready(thread->joiner);
    thread->joiner = NULL;
}

// Of any space: a signal is only for what the thread does in the space from which it comes.
int thread_signal(int id) {
    const struct user_space* space = this_processor()->space;
    spinlock_acquire(&scheduler_lock);
    struct kernel_thread* thread = thread_named(id);
    if (thread != NULL) {
        if (thread->waits && thread->space == space) {
            thread->waits = false;
            make_ready(thread);
        } else if (thread->signals.from[space->number] < SIGNALS_MOST) {
            thread->signals.from[space->number]++;
        }
    }
    spinlock_release(&scheduler_lock);
    return thread != NULL ? 0 : -1;
}

void give_up_wait(struct kernel_thread* thread) {
    thread->waits = false;
    for (unsigned i = 0; i < kernel_threads_made; i++)
        if (kernel_threads[i].joiner == thread) kernel_threads[i].joiner = NULL;
    message_forget(thread);
    make_ready(thread);
}

// Its threads, and those that are in one of its calls, find out when they run next.
void threads_space_ended(const struct user_space* space) {
    spinlock_acquire(&scheduler_lock);
    for (unsigned i = 0; i < kernel_threads_made; i++) {
        struct kernel_thread* thread = &kernel_threads[i];
        const bool fails = thread->server == space;  // its call does
        if (thread->state != THREAD_BLOCKED || (thread->space != space && !fails)) continue;
        if (fails) thread->frame.eax = (uint32_t)-1;
        give_up_wait(thread);
    }
    spinlock_release(&scheduler_lock);
}
