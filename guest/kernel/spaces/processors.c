// SPDX-License-Identifier: MIT

// Which space has this processor. It enters one by an upcall, on the stack that the program has for
// this processor, with all registers new. It leaves when the space donates it, has ended, or is
// preempted (preempt.c).
//
// A space that loses a processor lends it: `given_by` of the space that gets it says so. So the
// space that has a processor and those that have lent it are a chain, in which none is twice. A
// space that gets back what it has lent is its end again, and those after it are out of it.

#include "descriptors.h"
#include "spaces.h"

struct processor kernel_processors[MAX_PROCESSORS];

// The program's own data for this processor. The descriptors never change: each space has one.
static unsigned own_selector(const struct user_space* space) {
    return FREE_SELECTOR + 8 * (unsigned)space->number + 3;
}
_Static_assert(FREE_SELECTOR + 8 * (MAX_SPACES - 1) <= LAST_SELECTOR, "one descriptor a space");

void setup_processor(struct processor* here) {
    here->info = information_on(here->number);
    for (unsigned i = 0; i < user_spaces_number; i++) {
        const struct space_program* program = user_spaces[i].image->program;
        const uintptr_t own = (uintptr_t)program->own + here->number * program->own_bytes;
        set_descriptor(own_selector(&user_spaces[i]) & -8u,
                       segment_descriptor(SEGMENT_DATA, 3, own, program->own_bytes - 1));
        here->info->given_by[i] = NO_SPACE;
    }
    this_task_state()->inner[0].esp = (uintptr_t)cpu_of(here->number) + STACK_BYTES;
}

unsigned number_in(const struct processor* here, const struct user_space* space) {
    return here->number * user_spaces_number + (unsigned)space->number;
}

// Kernel threads move too often to be counted: a space keeps the processors with which it began.
void enter_space(struct processor* here, struct user_space* to) {
    if (here->thread == NULL) information_moved(here->space, to);
    here->space = to;
    PROBE(PROBE_PROCESS_RUN, number_in(here, to));
    __asm__ volatile("movl %0, %%cr3\n\tmovw %w1, %%gs\n\tmovw %w2, %%fs"
                     :
                     : "r"(to->pages), "r"(own_selector(to)), "r"(0)
                     : "memory");
    fpu_refuse();
}

void upcall(struct processor* here, struct trap_frame* frame, struct user_space* to,
            enum upcall_reason reason) {
    enter_space(here, to);
    if (here->waiting & bit_of(to)) here->waiting &= ~bit_of(to);
    if (here->info->preempted & bit_of(to)) {
        here->info->preempted &= ~bit_of(to);
        context_restore(context_here(here), frame);
        return;
    }
    PROBE(PROBE_PROCESS_UPCALL, reason);
    begin_frame(frame, to->upcall, to->stacks + (here->number + 1) * STACK_BYTES - 16, here->number,
                reason);
}

static bool has_lent(const struct processor* here, const struct user_space* space) {
    int lender = here->space->number;
    do lender = here->info->given_by[lender];
    while (lender != NO_SPACE && lender != space->number);
    return lender != NO_SPACE;
}

// Where a processor goes when the space that has it has ended: to the last one in the chain that
// has not, else to the space that has the fewest, whose own it is from then on.
static struct user_space* heir(const struct processor* here) {
    int lender = here->space->number;
    while ((lender = here->info->given_by[lender]) != NO_SPACE)
        if (!user_spaces[lender].ended) return &user_spaces[lender];
    struct user_space* best = NULL;
    for (unsigned i = 0; i < user_spaces_number; i++) {
        struct user_space* space = &user_spaces[i];
        if (space->ended) continue;
        if (best == NULL ||
            information_of((int)i)->processors < information_of(best->number)->processors)
            best = space;
    }
    if (best == NULL)
        for (;;) {  // until who has ended the last one stops the machine
        }
    here->info->given_by[best->number] = NO_SPACE;
    return best;
}

void leave_ended_space(struct processor* here, struct trap_frame* frame) {
    while (here->space->ended) {
        struct user_space* next = heir(here);
        PROBE(PROBE_PROCESS_EXIT, number_in(here, here->space));
        upcall(here, frame, next, UPCALL_ENDED);
        stores_before_loads();
    }
}

// A space that is about to end sets `ended` and then looks who is in it; here it is the other way
// round. So one of the two sees the other (ordering.h rule 4).
void lend_processor(struct processor* here, struct trap_frame* frame, struct user_space* to,
                    enum upcall_reason reason) {
    if (!has_lent(here, to))
        here->info->given_by[to->number] = (signed char)here->space->number;
    else if (reason == UPCALL_DONATED)
        reason = UPCALL_RETURNED;
    upcall(here, frame, to, reason);
    stores_before_loads();
    if (to->ended) leave_ended_space(here, frame);
}

void donate_processor(struct trap_frame* frame, int number) {
    struct processor* here = this_processor();
    struct user_space* to = space_at(number);
    if (to == NULL || to == here->space || to->ended) {
        frame->eax = (uint32_t)-1;
        return;
    }
    PROBE(PROBE_PROCESS_YIELD, number_in(here, here->space));
    lend_processor(here, frame, to, UPCALL_DONATED);
}
