// SPDX-License-Identifier: MIT

// The 80387. A processor that comes into a space finds it as after fninit, at its first use
// (exception 7, by the TS bit of cr0): no space sees what another one left in it.

#include "kernel.h"

#define CR0_TASK_SWITCHED 8u

static void first_use(struct trap_frame* frame) {
    (void)frame;
    __asm__ volatile("clts; fninit");
}

void fpu_refuse(void) {
    uint32_t cr0;
    __asm__ volatile("movl %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("movl %0, %%cr0" : : "r"(cr0 | CR0_TASK_SWITCHED));
}

void fpu_setup(void) {
    on_interrupt(NO_COPROCESSOR, first_use);
}
