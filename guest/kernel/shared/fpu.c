// SPDX-License-Identifier: MIT

// The 80387's registers of tasks. KERNEL_FPU_ALWAYS 0: they are restored when a task first uses
// them, and saved when a task that has used them stops running. 1: saved and restored at each
// switch. docs/how-it-works/kernel.md has what either costs.

#include "fpu.h"

#include "interrupts.h"
#include "task.h"

#ifndef KERNEL_FPU_ALWAYS
#define KERNEL_FPU_ALWAYS 0
#endif

static void restore_fpu(const struct task* task) {
    fpu_allow();
    if (task->fpu.kept)
        fpu_load(&task->fpu);
    else
        fpu_init();
}

// The current task uses the 80387 for the first time since it runs.
static void first_use(struct trap_frame* frame) {
    (void)frame;
    restore_fpu(this_processor()->current);
}

void enter_fpu(struct task* task) {
    if (KERNEL_FPU_ALWAYS) restore_fpu(task);
}

void leave_fpu(struct task* task) {
    if (!fpu_is_used()) return;
    fpu_save(&task->fpu);
    fpu_refuse();
}

void setup_fpu(void) {
    on_interrupt(NO_COPROCESSOR, first_use);
    fpu_refuse();
}
