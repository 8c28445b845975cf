// SPDX-License-Identifier: MIT

// The end of a space: its processors go to others, which continue. The run ends with the last space
// that does not only serve others, with the status of the first one that has failed.

#include "threads.h"

static struct spinlock ends_lock;

static bool is_last(void) {
    for (unsigned i = 0; i < user_spaces_number; i++)
        if (!user_spaces[i].ended && !user_spaces[i].serves) return false;
    return true;
}

static int status_of_run(void) {
    for (unsigned i = 0; i < user_spaces_number; i++)
        if (user_spaces[i].status != 0) return user_spaces[i].status;
    return 0;
}

// A processor that leaves a space to another one says first that the space is preempted on it.
static bool concerns(const struct processor* there, const struct user_space* space) {
    if (there->space == space) return true;
    compiler_barrier();
    return (information_on(there->number)->preempted & bit_of(space)) != 0;
}

// False if another processor has ended the space already.
static bool set_ended(struct user_space* space, int status) {
    spinlock_acquire(&ends_lock);
    const bool first = !space->ended;
    if (first) {
        space->status = status;
        space->ended = 1;
        information_ended(space);
        if (is_last()) exit(status_of_run());
    }
    spinlock_release(&ends_lock);
    return first;
}

void space_only_serves(struct user_space* space) {
    spinlock_acquire(&ends_lock);
    space->serves = true;
    if (is_last()) exit(status_of_run());
    spinlock_release(&ends_lock);
}

void space_end(struct trap_frame* frame, int status) {
    struct processor* here = this_processor();
    struct user_space* space = here->space;
    if (set_ended(space, status)) {
        stores_before_loads();
        for (unsigned i = 0; i < processors(); i++)
            if (i != here->number && concerns(&kernel_processors[i], space)) reschedule(i);
        threads_space_ended(space);
    }
    processor_moves_on(frame);
}

// From another processor, which has ended a space that has this one, or is preempted on it.
static void ended_interrupt(struct trap_frame* frame) {
    take_reschedule();
    const struct processor* here = this_processor();
    for (unsigned i = 0; i < user_spaces_number; i++)
        if (user_spaces[i].ended) here->info->preempted &= ~bit_of(&user_spaces[i]);
    if (here->space != NULL && here->space->ended) processor_moves_on(frame);
}

void setup_ends(void) {
    on_interrupt(SLIC_VECTORS, ended_interrupt);
}
