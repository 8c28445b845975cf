// SPDX-License-Identifier: MIT

// The 80387's registers. KERNEL_FPU_ALWAYS 0: they are restored when a process first uses them
// (exception 7, by the TS bit of cr0), and saved when a process that has used them stops running.
// 1: saved and restored at each switch. docs/reference/kernel.md has what either costs.

#include "kernel.h"

#ifndef KERNEL_FPU_ALWAYS
#define KERNEL_FPU_ALWAYS 0
#endif

#define CR0_TASK_SWITCHED 8u

static void refuse_fpu(void) {
    uint32_t cr0;
    __asm__ volatile("movl %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("movl %0, %%cr0" : : "r"(cr0 | CR0_TASK_SWITCHED));
}

static void allow_fpu(void) {
    __asm__ volatile("clts");
}

static void restore_fpu(struct process* process) {
    if (process->has_fpu)
        __asm__ volatile("frstor %0" : : "m"(process->fpu));
    else
        __asm__ volatile("fninit");
    process->uses_fpu = process->has_fpu = true;
}

// A process uses the 80387 for the first time since it runs.
static void first_use(struct trap_frame* frame) {
    (void)frame;
    allow_fpu();
    restore_fpu(this_processor()->current);
}

void enter_fpu(struct process* process) {
    if (!KERNEL_FPU_ALWAYS) return;
    allow_fpu();
    restore_fpu(process);
}

void leave_fpu(struct process* process) {
    if (!process->uses_fpu) return;
    __asm__ volatile("fnsave %0; fwait" : "=m"(process->fpu));
    process->uses_fpu = false;
    refuse_fpu();
}

void fpu_setup(void) {
    on_interrupt(NO_COPROCESSOR, first_use);
    refuse_fpu();
}
