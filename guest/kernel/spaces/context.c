// SPDX-License-Identifier: MIT

// All registers of a program that is preempted: of a space on a processor, until the space gets
// this processor again; or of a kernel thread. A selector that ring 3 has loaded can be loaded
// again, as the descriptors never change.

#include "kernel.h"

static struct context contexts[MAX_PROCESSORS][MAX_SPACES];

struct context* context_here(const struct processor* here) {
    return &contexts[here->number][here->space->number];
}

void context_save(struct context* context, const struct trap_frame* frame) {
    context->frame = *frame;
    __asm__ volatile("movl %%fs, %0\n\tmovl %%gs, %1" : "=r"(context->fs), "=r"(context->gs));
    fpu_save(context);
}

void context_restore(const struct context* context, struct trap_frame* frame) {
    *frame = context->frame;
    __asm__ volatile("movl %0, %%fs\n\tmovl %1, %%gs" : : "r"(context->fs), "r"(context->gs));
    fpu_restore(context);
}
