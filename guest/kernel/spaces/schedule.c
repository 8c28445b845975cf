// SPDX-License-Identifier: MIT

// Which kernel thread a processor runs. A processor without one waits in the kernel, with the
// address space loaded that it ran last; when that space ends, the processor goes to another one.

#include "lrpc.h"
#include "message.h"
#include "sections.h"
#include "threads.h"

// Idle processors, for lrpc.c: who exchanges `idle` back to 0 may give the processor a thread.
static struct seat {
    LINE_ALIGNED volatile unsigned char idle;
    struct kernel_thread* volatile given;
} seats[MAX_PROCESSORS];

static bool lrpc_caching;  // argument lrpc_caching, default 1

void setup_scheduler(void) {
    lrpc_caching = arg_unsigned("lrpc_caching", 1) != 0;
}

// With interrupts off. The loop stays in the cache.
static IDLE_FUNCTION void wait_for_thread(const struct seat* seat, const struct user_space* space) {
    while (seat->given == NULL && !a_thread_is_ready() && !space->ended) {
    }
}

static struct kernel_thread* idle_processor(struct processor* here) {
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

static void load_space(struct processor* here, struct kernel_thread* thread) {
    if (here->space == thread->space) return;
    PROBE(PROBE_PROCESS_YIELD, number_in(here, here->space));
    enter_space(here, thread->space);
}

// False if it has ended: before, or, in the order of donate_processor(), since then.
static inline bool enter_its_space(struct processor* here, struct kernel_thread* thread) {
    if (thread->space->ended) return false;
    load_space(here, thread);
    stores_before_loads();
    return !thread->space->ended;
}

// From a space that has ended, through the calls that it is in. False if the thread has ended too.
static bool fall_back(struct processor* here, struct trap_frame* frame,
                      struct kernel_thread* thread) {
    thread->preempted = false;
    thread->message = NULL;
    while (thread->linkage != NULL) {
        lrpc_leave(frame, thread, -1);
        if (enter_its_space(here, thread)) return true;
    }
    return false;
}

static void restore_context(struct trap_frame* frame, struct kernel_thread* thread) {
    thread->preempted = false;
    context_restore(&thread->kept, frame);
}

static bool resume_thread(struct processor* here, struct trap_frame* frame,
                          struct kernel_thread* thread) {
    here->thread = thread;
    *frame = thread->frame;
    if (!enter_its_space(here, thread)) return fall_back(here, frame, thread);
    if (thread->message != NULL) message_deliver(frame, thread);
    if (thread->preempted) restore_context(frame, thread);
    return true;
}

// The thread runs from now on. NULL if none is ready.
static struct kernel_thread* take_ready(void) {
    spinlock_check_held(&scheduler_lock, __func__);
    struct kernel_thread* thread = (struct kernel_thread*)list_take(&ready_threads.list);
    if (thread != NULL) thread->state = THREAD_RUNS;
    return thread;
}

// A loop, as many threads can end here one after the other. A processor whose space has ended, and
// that has no thread, goes to another space.
void run_next(struct trap_frame* frame) {
    struct processor* here = this_processor();
    for (;;) {
        struct kernel_thread* thread = take_ready();
        spinlock_release(&scheduler_lock);
        here->thread = NULL;
        if (thread == NULL && here->space->ended) {
            leave_ended_space(here, frame);
            return;
        }
        if (thread == NULL) thread = idle_processor(here);
        if (thread != NULL && resume_thread(here, frame, thread)) return;
        spinlock_acquire(&scheduler_lock);
        if (thread != NULL) free_thread(thread);
    }
}

void end_thread(struct trap_frame* frame, struct kernel_thread* thread) {
    spinlock_acquire(&scheduler_lock);
    free_thread(thread);
    run_next(frame);
}

void run_thread(struct trap_frame* frame, struct kernel_thread* thread) {
    spinlock_check_held(&scheduler_lock, __func__);
    thread->state = THREAD_RUNS;
    spinlock_release(&scheduler_lock);
    if (!resume_thread(this_processor(), frame, thread)) end_thread(frame, thread);
}

// A thread that begins to wait after the end of its space is not seen by threads_space_ended().
void block_thread(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    stop_thread(self, frame);
    if (self->space->ended) give_up_wait(self);
    run_next(frame);
}

void preempt_thread(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    spinlock_acquire(&scheduler_lock);
    if (!a_thread_is_ready()) {
        spinlock_release(&scheduler_lock);
        return;
    }
    context_save(&self->kept, frame);
    self->preempted = true;
    stop_thread(self, frame);
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
        if (!enter_its_space(here, self) && !fall_back(here, frame, self)) end_thread(frame, self);
        return;
    }
    self->frame = *frame;
    compiler_barrier();
    seat->given = self;
    spinlock_acquire(&scheduler_lock);
    run_next(frame);
}

void processor_moves_on(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (here->thread != NULL)
        thread_moved(frame);
    else
        leave_ended_space(here, frame);
}
