// SPDX-License-Identifier: MIT

// Which kernel thread a processor runs. A processor without one waits in the kernel, with the
// address space loaded that it ran last; when that space ends, the processor goes to another one.

#include "lrpc.h"
#include "message.h"
#include "sections.h"
#include "threads.h"

struct spinlock scheduler;

static struct { LINE_ALIGNED struct thread_list list; } ready;

// Idle processors, for lrpc.c: who exchanges `idle` back to 0 may give the processor a thread.
static struct seat {
    LINE_ALIGNED volatile unsigned char idle;
    struct kernel_thread* volatile given;
} seats[MAX_PROCESSORS];

void make_ready(struct kernel_thread* thread) {
    thread->state = THREAD_READY;
    list_put(&ready.list, thread);
}

void stop(struct kernel_thread* self, const struct trap_frame* frame) {
    self->state = THREAD_BLOCKED;
    self->frame = *frame;
}

// With interrupts off. The loop stays in the cache.
static IDLE_FUNCTION void wait_for_thread(const struct seat* seat, const struct user_space* space) {
    while (seat->given == NULL && *(struct kernel_thread* volatile*)&ready.list.head == NULL &&
           !space->ended) {
    }
}

static struct kernel_thread* idle(struct processor* here) {
    struct seat* seat = &seats[here->number];
    exchange_byte(&seat->idle, 1);
    wait_for_thread(seat, here->space);
    if (exchange_byte(&seat->idle, 0) == 0)
        while (seat->given == NULL) {  // somebody is about to give one
        }
    struct kernel_thread* given = seat->given;
    seat->given = NULL;
    return given;
}

static struct kernel_thread* take_ready(void) {
    spinlock_acquire(&scheduler);
    struct kernel_thread* thread = list_take(&ready.list);
    spinlock_release(&scheduler);
    return thread;
}

static void load_space(struct processor* here, struct kernel_thread* thread) {
    if (here->space == thread->space) return;
    PROBE(PROBE_PROCESS_YIELD, number_in(here, here->space));
    enter_space(here, thread->space);
}

void run_thread(struct trap_frame* frame, struct kernel_thread* thread) {
    struct processor* here = this_processor();
    here->thread = thread;
    thread->state = THREAD_RUNS;
    *frame = thread->frame;
    if (thread->space->ended) {
        thread->preempted = false;
        thread->message = NULL;
        thread_lost(frame);
        return;
    }
    load_space(here, thread);
    if (thread->preempted) {
        thread->preempted = false;
        context_restore(&thread->kept, frame);
    }
    if (thread->message != NULL) message_deliver(frame, thread);
    stores_before_loads();
    if (thread->space->ended) thread_lost(frame);
}

void run_next(struct trap_frame* frame) {
    struct kernel_thread* thread = list_take(&ready.list);
    spinlock_release(&scheduler);
    struct processor* here = this_processor();
    here->thread = NULL;
    while (thread == NULL) {
        if (here->space->ended) {
            take_away(frame);
            return;
        }
        thread = idle(here);
        if (thread == NULL) thread = take_ready();
    }
    run_thread(frame, thread);
}

void thread_preempt(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    spinlock_acquire(&scheduler);
    if (ready.list.head == NULL) {
        spinlock_release(&scheduler);
        return;
    }
    context_save(&self->kept, frame);
    self->preempted = true;
    stop(self, frame);
    make_ready(self);
    run_next(frame);
}

// A processor that idles with the space loaded, now to be given a thread; NULL if there is none.
static struct seat* seat_in(const struct user_space* space) {
    for (unsigned i = 0; i < processors(); i++)
        if (seats[i].idle && kernel_processors[i].space == space &&
            exchange_byte(&seats[i].idle, 0) != 0)
            return &seats[i];
    return NULL;
}

// With lrpc_caching the thread goes to a processor that idles in the space, and this one idles in
// its place (URPC section 4.3, "idle processors").
void thread_moved(struct trap_frame* frame) {
    struct processor* here = this_processor();
    struct kernel_thread* self = here->thread;
    struct seat* seat = lrpc_caching ? seat_in(self->space) : NULL;
    if (seat == NULL) {
        load_space(here, self);
        stores_before_loads();
        if (self->space->ended) thread_lost(frame);
        return;
    }
    self->frame = *frame;
    compiler_barrier();
    seat->given = self;
    spinlock_acquire(&scheduler);
    run_next(frame);
}
