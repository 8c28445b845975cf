// SPDX-License-Identifier: MIT

// Which space has this processor. It enters one by an upcall, on the stack that the program has for
// this processor, with all registers new. It leaves when the space donates it, or has ended.

#include "threads.h"

#include "descriptors.h"
#include "slic.h"

struct processor kernel_processors[MAX_PROCESSORS];

// The program's own data for this processor. The descriptors never change: each space has one.
static unsigned own_selector(const struct user_space* space) {
    return FREE_SELECTOR + 8 * (unsigned)space->number + 3;
}
_Static_assert(FREE_SELECTOR + 8 * (MAX_SPACES - 1) <= LAST_SELECTOR, "one descriptor a space");

void processors_setup(struct processor* here) {
    for (unsigned i = 0; i < user_spaces_number; i++) {
        const struct space_program* program = user_spaces[i].image->program;
        const uintptr_t own = (uintptr_t)program->own + here->number * program->own_bytes;
        set_descriptor(own_selector(&user_spaces[i]) & -8u,
                       segment_descriptor(SEGMENT_DATA, 3, own, program->own_bytes - 1));
        here->given_by[i] = NO_SPACE;
    }
    this_task()->inner[0].esp = (uintptr_t)cpu_of(here->number) + STACK_BYTES;
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

void upcall(struct trap_frame* frame, struct user_space* to, enum upcall_reason reason) {
    struct processor* here = this_processor();
    const struct user_space* from = here->space;
    enter_space(here, to);
    *frame = (struct trap_frame){
        .es = USER_DATA,
        .ds = USER_DATA,
        .eax = here->number,
        .edx = reason,
        .ecx = (uint32_t)(from != NULL ? from->number : NO_SPACE),
        .eip = to->upcall,
        .cs = USER_CODE,
        .flags = FLAG_INTERRUPT,
        .esp = to->stacks + (here->number + 1) * STACK_BYTES - 16,
        .ss = USER_DATA,
    };
}

// Where its next processor goes when a space has ended: to whom had donated it, else to the space
// that has the fewest.
static struct user_space* heir(const struct processor* here, const struct user_space* ended) {
    struct user_space* best = space_at(here->given_by[ended->number]);
    if (best != NULL && !best->ended) return best;
    best = NULL;
    for (unsigned i = 0; i < user_spaces_number; i++) {
        struct user_space* space = &user_spaces[i];
        if (space->ended) continue;
        if (best == NULL ||
            information_of((int)i)->processors < information_of(best->number)->processors)
            best = space;
    }
    return best;
}

void take_away(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (here->thread != NULL) {
        thread_moved(frame);
        return;
    }
    while (here->space->ended) {
        struct user_space* next = heir(here, here->space);
        if (next == NULL) panic("no space is left");
        here->given_by[next->number] = NO_SPACE;
        PROBE(PROBE_PROCESS_EXIT, number_in(here, here->space));
        upcall(frame, next, UPCALL_ENDED);
        stores_before_loads();
    }
}

// A space that is about to end sets `ended` and then looks who is in it; here it is the other way
// round. So one of the two sees the other (ordering.h rule 4).
void donate(struct trap_frame* frame, int number) {
    struct processor* here = this_processor();
    const struct user_space* from = here->space;
    struct user_space* to = space_at(number);
    if (to == NULL || to == from || to->ended) {
        frame->eax = (uint32_t)-1;
        return;
    }
    const bool returned = here->given_by[from->number] == number;
    if (returned)
        here->given_by[from->number] = NO_SPACE;
    else
        here->given_by[number] = from->number;
    PROBE(PROBE_PROCESS_YIELD, number_in(here, from));
    upcall(frame, to, returned ? UPCALL_RETURNED : UPCALL_DONATED);
    stores_before_loads();
    if (to->ended) take_away(frame);
}

// Another processor has ended the space that has this one.
void told(struct trap_frame* frame) {
    slic_software_bits();
    const struct user_space* space = this_processor()->space;
    if (space != NULL && space->ended) take_away(frame);
}
