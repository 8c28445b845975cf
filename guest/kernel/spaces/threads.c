// SPDX-License-Identifier: MIT

// Operations of kernel threads (kernel_threads.h). A program hands its processors over, and its
// main() is its first thread.

#include "threads.h"

#include "descriptors.h"
#include "lrpc.h"
#include "message.h"

#define THREADS_MOST (MAX_SPACES * THREADS_OF_SPACE)
#define STACK_PAGES 2
#define SIGNALS_MOST 255

struct kernel_thread kernel_threads[THREADS_MOST];
unsigned kernel_threads_made;

// ---- names: a record and how often it has been used, so that a name is of one thread ----

int thread_id(const struct kernel_thread* thread) {
    const unsigned record = (unsigned)(thread - kernel_threads);
    return (int)((thread->uses & 0x3fffff) * THREADS_MOST + record);
}

// NULL if the thread has ended.
static struct kernel_thread* thread_named(int id) {
    if (id < 0) return NULL;
    struct kernel_thread* thread = &kernel_threads[id % THREADS_MOST];
    return thread->state != THREAD_FREE && thread_id(thread) == id ? thread : NULL;
}

// ---- beginning and end ----

// Records are used again in their space, with the stack that they have.
static struct kernel_thread* take_record(struct user_space* space) {
    struct kernel_thread* thread = space->free_threads;
    if (thread != NULL) {
        space->free_threads = thread->next;
        return thread;
    }
    if (space->threads == THREADS_OF_SPACE) return NULL;
    thread = &kernel_threads[kernel_threads_made];
    thread->stack = map_new(&space, 1, STACK_PAGES);
    if (thread->stack == 0) return NULL;
    kernel_threads_made++;
    space->threads++;
    thread->home = space;
    return thread;
}

static void begin_at(struct kernel_thread* thread, uint32_t entry, uint32_t function,
                     uint32_t argument) {
    thread->frame = (struct trap_frame){
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
        thread->signals = (struct signals){{0}};
        begin_at(thread, entry, function, argument);
        make_ready(thread);
        id = thread_id(thread);
    }
    spinlock_release(&scheduler);
    return id;
}

void thread_free(struct kernel_thread* thread) {
    if (thread->client != NULL) message_unanswered(thread);
    thread->state = THREAD_FREE;
    thread->next = thread->home->free_threads;
    thread->home->free_threads = thread;
    if (thread->joiner != NULL) make_ready(thread->joiner);
    thread->joiner = NULL;
}

// In an LRPC it is the caller's thread: the call ends, and has failed.
void thread_exit(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    if (self->linkage != NULL)
        lrpc_return(frame, -1);
    else
        end_thread(frame, self);
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
    if (exchange_byte(&space->begun, 1) == 0 &&
        thread_fork(space, frame->ebx, frame->ecx, frame->edx) < 0) {
        space_fails(frame, "no memory for its first thread; a larger memory.size_mb has more");
        return;
    }
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
    struct kernel_thread* thread = thread_named(id);
    if (thread == NULL || thread->home != self->space || thread->joiner != NULL || thread == self) {
        if (thread != NULL) frame->eax = (uint32_t)-1;
        spinlock_release(&scheduler);
        return;
    }
    thread->joiner = self;
    block_thread(frame);
}

void thread_yield(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler);
    stop_thread(self, frame);
    make_ready(self);
    run_next(frame);
}

void thread_block(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler);
    unsigned char* signals = &self->signals.from[self->space->number];
    if (*signals > 0) {
        --*signals;
        spinlock_release(&scheduler);
        return;
    }
    self->waits = true;
    block_thread(frame);
}

// Of any space: a signal is only for what the thread does in the space from which it comes.
int thread_signal(int id) {
    const struct user_space* space = this_processor()->space;
    spinlock_acquire(&scheduler);
    struct kernel_thread* thread = thread_named(id);
    if (thread != NULL) {
        if (thread->waits && thread->space == space) {
            thread->waits = false;
            make_ready(thread);
        } else if (thread->signals.from[space->number] < SIGNALS_MOST) {
            thread->signals.from[space->number]++;
        }
    }
    spinlock_release(&scheduler);
    return thread != NULL ? 0 : -1;
}

// ---- the end of a space ----

void thread_give_up(struct kernel_thread* thread) {
    thread->waits = false;
    for (unsigned i = 0; i < kernel_threads_made; i++)
        if (kernel_threads[i].joiner == thread) kernel_threads[i].joiner = NULL;
    message_forget(thread);
    make_ready(thread);
}

// Its threads, and those that are in one of its calls, find out when they run next.
void threads_space_ended(const struct user_space* space) {
    spinlock_acquire(&scheduler);
    for (unsigned i = 0; i < kernel_threads_made; i++) {
        struct kernel_thread* thread = &kernel_threads[i];
        const bool fails = thread->server == space;  // its call does
        if (thread->state != THREAD_BLOCKED || (thread->space != space && !fails)) continue;
        if (fails) thread->frame.eax = (uint32_t)-1;
        thread_give_up(thread);
    }
    spinlock_release(&scheduler);
}
