// SPDX-License-Identifier: MIT

// Operations of kernel threads (kernel_threads.h). A program hands its processors over, and its
// main() is its first thread.

#include "threads.h"

#include "descriptors.h"
#include "lrpc.h"
#include "message.h"

#define THREADS_MOST 128  // of all spaces
#define STACK_PAGES 2

struct kernel_thread kernel_threads[THREADS_MOST];
unsigned kernel_threads_made;

// ---- names: a record and how often it has been used, so that a name is of one thread ----

int thread_id(const struct kernel_thread* thread) {
    const unsigned record = (unsigned)(thread - kernel_threads);
    return (int)((thread->uses & 0x7fffff) * THREADS_MOST + record);
}

// NULL if the thread has ended, or is of another space.
static struct kernel_thread* thread_named(int id, const struct user_space* home) {
    if (id < 0) return NULL;
    struct kernel_thread* thread = &kernel_threads[id % THREADS_MOST];
    if (thread->state == THREAD_FREE || thread->home != home) return NULL;
    return thread_id(thread) == id ? thread : NULL;
}

// ---- beginning and end ----

// Records are used again in their space, with the stack that they have.
static struct kernel_thread* take_record(struct user_space* space) {
    struct kernel_thread* thread = space->free_threads;
    if (thread != NULL) {
        space->free_threads = thread->next;
        return thread;
    }
    if (kernel_threads_made == THREADS_MOST) return NULL;
    thread = &kernel_threads[kernel_threads_made];
    thread->stack = map_new(&space, 1, STACK_PAGES);
    if (thread->stack == 0) return NULL;
    kernel_threads_made++;
    thread->home = space;
    return thread;
}

static struct trap_frame first_frame(const struct kernel_thread* thread, uint32_t entry,
                                     uint32_t function, uint32_t argument) {
    return (struct trap_frame){
        .es = USER_DATA,
        .ds = USER_DATA,
        .eax = function,
        .edx = argument,
        .eip = entry,
        .cs = USER_CODE,
        .flags = FLAG_INTERRUPT,
        .esp = thread->stack + STACK_PAGES * PAGE_BYTES - 16,
        .ss = USER_DATA,
    };
}

int thread_fork(struct user_space* space, uint32_t entry, uint32_t function, uint32_t argument) {
    int id = -1;
    spinlock_acquire(&scheduler);
    struct kernel_thread* thread = take_record(space);
    if (thread != NULL) {
        thread->uses++;
        thread->space = space;
        thread->signalled = thread->waits = false;
        thread->frame = first_frame(thread, entry, function, argument);
        make_ready(thread);
        id = thread_id(thread);
    }
    spinlock_release(&scheduler);
    return id;
}

void thread_free(struct kernel_thread* thread) {
    thread->state = THREAD_FREE;
    thread->client = NULL;
    thread->next = thread->home->free_threads;
    thread->home->free_threads = thread;
    if (thread->joiner != NULL) make_ready(thread->joiner);
    thread->joiner = NULL;
}

void thread_exit(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    if (self->linkage != NULL) {  // it is another space's thread
        frame->eax = (uint32_t)-1;
        return;
    }
    spinlock_acquire(&scheduler);
    thread_free(self);
    run_next(frame);
}

// A space's first processor begins with main(), and then helps a space that has none. A processor
// that another space has lent, or waits for, is not the space's to give.
void threads_serve(struct trap_frame* frame) {
    struct processor* here = this_processor();
    struct user_space* space = here->space;
    if (here->info->given_by[space->number] != NO_SPACE || here->info->preempted != 0) {
        frame->eax = (uint32_t)-1;
        return;
    }
    if (exchange_byte(&space->begun, 1) == 0)
        thread_fork(space, frame->ebx, frame->ecx, frame->edx);
    for (unsigned i = 0; i < user_spaces_number; i++) {
        if (information_of((int)i)->state != SPACE_NEW) continue;
        PROBE(PROBE_PROCESS_YIELD, number_in(here, space));
        upcall(here, frame, &user_spaces[i], UPCALL_START);
        return;
    }
    spinlock_acquire(&scheduler);
    run_next(frame);
}

// ---- waiting: the thread's result, 0, is already in its frame ----

void thread_join(struct trap_frame* frame, int id) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler);
    struct kernel_thread* thread = thread_named(id, self->space);
    if (thread == NULL || thread->joiner != NULL || thread == self) {
        if (thread != NULL) frame->eax = (uint32_t)-1;
        spinlock_release(&scheduler);
        return;
    }
    thread->joiner = self;
    stop(self, frame);
    run_next(frame);
}

void thread_yield(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler);
    stop(self, frame);
    make_ready(self);
    run_next(frame);
}

void thread_block(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler);
    if (self->signalled) {
        self->signalled = false;
        spinlock_release(&scheduler);
        return;
    }
    self->waits = true;
    stop(self, frame);
    run_next(frame);
}

int thread_signal(int id) {
    const struct user_space* space = this_processor()->space;
    spinlock_acquire(&scheduler);
    struct kernel_thread* thread = thread_named(id, space);
    if (thread != NULL) {
        if (thread->waits)
            make_ready(thread);
        else
            thread->signalled = true;
        thread->waits = false;
    }
    spinlock_release(&scheduler);
    return thread != NULL ? 0 : -1;
}

// ---- the end of a space ----

// Its threads, and those that are in one of its calls, find out when they run next.
void threads_space_ended(const struct user_space* space) {
    spinlock_acquire(&scheduler);
    for (unsigned i = 0; i < kernel_threads_made; i++) {
        struct kernel_thread* thread = &kernel_threads[i];
        const bool fails = thread->server == space;  // its call does
        if (thread->state != THREAD_BLOCKED || (thread->space != space && !fails)) continue;
        message_forget(thread);
        if (fails) thread->frame.eax = (uint32_t)-1;
        make_ready(thread);
    }
    spinlock_release(&scheduler);
}

// Back through the calls that it is in, to a space that goes on; without one it ends.
void thread_lost(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    while (self->space->ended && self->linkage != NULL) lrpc_leave(frame, self, -1);
    if (!self->space->ended) {
        thread_moved(frame);
        return;
    }
    spinlock_acquire(&scheduler);
    thread_free(self);
    run_next(frame);
}
