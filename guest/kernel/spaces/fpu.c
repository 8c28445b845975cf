// SPDX-License-Identifier: MIT

// The 80387. A processor that comes into a space by an upcall finds it as after fninit, at its
// first use (exception 7, by the TS bit of cr0): no space sees what another one left in it. A
// program that is preempted gets its registers back, if it has used it.

#include "kernel.h"

#define CR0_TASK_SWITCHED 8u

static uint32_t read_cr0(void) {
    uint32_t cr0;
    __asm__ volatile("movl %%cr0, %0" : "=r"(cr0));
    return cr0;
}

static void first_use(struct trap_frame* frame) {
    (void)frame;
    __asm__ volatile("clts; fninit");
}

void fpu_refuse(void) {
    __asm__ volatile("movl %0, %%cr0" : : "r"(read_cr0() | CR0_TASK_SWITCHED));
}

void fpu_save(struct context* context) {
    context->has_fpu = (read_cr0() & CR0_TASK_SWITCHED) == 0;
    if (context->has_fpu) __asm__ volatile("fnsave %0" : "=m"(context->fpu));
}

// fninit comes first: frstor waits, and would be interrupted by an exception of another program.
void fpu_restore(const struct context* context) {
    if (context->has_fpu)
        __asm__ volatile("clts; fninit; frstor %0" : : "m"(context->fpu));
    else
        fpu_refuse();
}

void fpu_setup(void) {
    on_interrupt(NO_COPROCESSOR, first_use);
}
