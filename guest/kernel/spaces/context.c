// SPDX-License-Identifier: MIT

// All registers of a program that is preempted: of a space on a processor, until the space gets
// this processor again; or of a kernel thread. A selector that ring 3 has loaded can be loaded
// again, as the descriptors never change.
//
// A processor that comes into a space by an upcall finds the 80387 as after fninit, at its first
// use: no space sees what another one left in it.

#include "spaces.h"

static struct context contexts[MAX_PROCESSORS][MAX_SPACES];

struct context* context_here(const struct processor* here) {
    return &contexts[here->number][here->space->number];
}

void context_save(struct context* context, const struct trap_frame* frame) {
    context->frame = *frame;
    __asm__ volatile("movl %%fs, %0\n\tmovl %%gs, %1" : "=r"(context->fs), "=r"(context->gs));
    context->fpu.kept = false;
    if (fpu_is_used()) fpu_save(&context->fpu);
}

// The 80387 is initialised before it is loaded, as exceptions of another program may be pending.
void context_restore(const struct context* context, struct trap_frame* frame) {
    *frame = context->frame;
    __asm__ volatile("movl %0, %%fs\n\tmovl %1, %%gs" : : "r"(context->fs), "r"(context->gs));
    if (context->fpu.kept) {
        fpu_allow();
        fpu_init();
        fpu_load(&context->fpu);
    } else {
        fpu_refuse();
    }
}

static void first_use(struct trap_frame* frame) {
    (void)frame;
    fpu_allow();
    fpu_init();
}

void setup_contexts(void) {
    on_interrupt(NO_COPROCESSOR, first_use);
}
