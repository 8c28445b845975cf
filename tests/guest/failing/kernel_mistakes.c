// SPDX-License-Identifier: MIT

// Mistakes that a kernel with KERNEL_CHECKS finds; the argument `mistake` names one of them. This
// file is the kernel's start, so all of it runs in ring 0. Run by
// tests/run/process_failures_test.cpp.

#include "interrupts.h"
#include "kernel/shared/task.h"
#include "string.h"
#include "symsim.h"

static struct spinlock first_lock, second_lock;
static struct task task;

static void take_first(unsigned processor, void* unused) {
    (void)processor, (void)unused;
    spinlock_acquire(&first_lock);
}

static void make_mistake(const char* mistake) {
    this_processor()->current = &task;
    if (strcmp(mistake, "acquire_twice") == 0) {
        spinlock_acquire(&first_lock);
        spinlock_acquire(&first_lock);
    } else if (strcmp(mistake, "acquire_with_interrupts_on") == 0) {
        interrupts_on();
        spinlock_acquire(&first_lock);
    } else if (strcmp(mistake, "release_free") == 0) {
        spinlock_release(&first_lock);
    } else if (strcmp(mistake, "release_of_another") == 0) {
        start_on(1, take_first, NULL);
        wait_for(1);
        spinlock_release(&first_lock);
    } else if (strcmp(mistake, "sleep_without") == 0) {
        spinlock_acquire(&first_lock);
        spinlock_release(&first_lock);
        block_task(&first_lock);
    } else if (strcmp(mistake, "sleep_with_two") == 0) {
        spinlock_acquire(&first_lock);
        spinlock_acquire(&second_lock);
        block_task(&first_lock);
    } else if (strcmp(mistake, "requeue_with_one") == 0) {
        spinlock_acquire(&first_lock);
        requeue_task();
    }
}

// In place of that of kernel/processes/start.c.
int __wrap_main(int count, char** arguments);
int __wrap_main(int count, char** arguments) {
    (void)count, (void)arguments;
    spinlock_acquire(&second_lock);
    spinlock_acquire(&first_lock);
    spinlock_release(&second_lock);
    spinlock_release(&first_lock);
    make_mistake(arg_string("mistake", ""));
    printf("found nothing\n");
    return 0;
}
