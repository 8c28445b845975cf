// SPDX-License-Identifier: MIT

// System calls by which a kernel thread waits or ends. Its result, 0, is already in its frame then.
// A program hands its processors over, and its main() is its first thread.

#include "lrpc.h"
#include "threads.h"

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
    spinlock_acquire(&scheduler_lock);
    run_next(frame);
}

void thread_join(struct trap_frame* frame, int id) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler_lock);
    struct kernel_thread* thread = thread_named(id);
    if (thread == NULL || thread->home != self->space || thread->joiner != NULL || thread == self) {
        if (thread != NULL) frame->eax = (uint32_t)-1;
        spinlock_release(&scheduler_lock);
        return;
    }
    thread->joiner = self;
    block_thread(frame);
}

void thread_yield(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler_lock);
    stop_thread(self, frame);
    make_ready(self);
    run_next(frame);
}

void thread_block(struct trap_frame* frame) {
    struct kernel_thread* self = this_processor()->thread;
    frame->eax = 0;
    spinlock_acquire(&scheduler_lock);
    unsigned char* signals = &self->signals.from[self->space->number];
    if (*signals > 0) {
        --*signals;
        spinlock_release(&scheduler_lock);
        return;
    }
    self->waits = true;
    block_thread(frame);
}
