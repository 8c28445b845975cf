// SPDX-License-Identifier: MIT
#pragma once

// Tasks: what a kernel runs on the processors, each with a stack of its own in ring 0. A process is
// one. The kernel runs with interrupts off: on a task's kernel stack after an interrupt or a system
// call, on the processor's boot stack in the scheduler.

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "fpu.h"
#include "list.h"
#include "paging.h"
#include "spinlock.h"

#define UNBOUND (-1)  // in place of a processor: any may run the task

// The first member of what a kernel keeps for a task.
struct task {
    LINE_ALIGNED struct link link;  // in a run queue, or among those that sleep
    int number;                     // by which the probes name it
    int bound;                      // the one processor that may run it, or UNBOUND
    int last;                       // the processor that ran it last
    void* context;                  // esp of the kernel stack while it does not run (switch.S)
    char* kernel_stack;             // a page
    struct space* space;
    volatile unsigned* sleeps_on;
    volatile unsigned ended;  // 1: it never runs again
    struct fpu_state fpu;     // while it does not run
};

// What the scheduler keeps for a processor. `current` is NULL in the scheduler.
struct processor {
    LINE_ALIGNED struct task* current;
    unsigned number;
    void* scheduler;                           // esp of the scheduler while a task runs
    struct space* space;                       // in use
    struct spinlock* to_release;               // by the scheduler, when the task has left its stack
    LINE_ALIGNED volatile unsigned char idle;  // sleeps, and wants to be notified of work
};
extern struct processor kernel_processors[MAX_PROCESSORS];
static inline struct processor* this_processor(void) {
    return &kernel_processors[read_register(BOARD_PROCESSOR)];
}

// schedule.c
_Noreturn void run_tasks(void);  // on all processors, for ever
// Gives the task its first context: it will begin in ring 3 with the frame at the end of its stack.
void prepare_task(struct task* task, uintptr_t function, uintptr_t stack, uint32_t first,
                  uint32_t second);
void make_ready(struct task* task);  // puts it into a run queue; wakes a processor if one is idle
// The current task stops running. It is ready again at once; or after a make_ready() by somebody
// who has the lock, which is released once it has stopped; or never.
void requeue_task(void);
void block_task(struct spinlock* lock);
_Noreturn void retire_task(void);

// sleep.c: sleep and wake on a word, as futexes of Linux
// The current task sleeps until a wake, if *word is `value`; true if it has slept.
bool sleep_on(volatile unsigned* word, unsigned value);
// Wakes at most `count` tasks that sleep on the word, in order of their arrival; returns how many.
unsigned wake_sleepers(volatile unsigned* word, unsigned count);

// What a kernel may define otherwise: whether the task may run on the processor, besides `bound`;
// in whose queue it waits; which queue that is.
#ifndef KERNEL_MAY_RUN
#define KERNEL_MAY_RUN(task, processor) true
#define KERNEL_HOME(task) ((unsigned)(task)->last)
#define KERNEL_QUEUE_OF(processor) (processor)
#endif

// queues.c
void run_queue_add(struct task* task, unsigned home);  // `home`: where it should run
struct task* run_queue_take(unsigned processor);       // NULL if none may run there
bool run_queue_has(unsigned processor);                // one that was added for this processor

// fpu.c
void setup_fpu(void);
void enter_fpu(struct task* task);  // before it runs
void leave_fpu(struct task* task);  // after it has stopped

// switch.S
void switch_stacks(void** from, void* to);
void task_begin(void);  // a new task's first return address; its trap frame is above it

// A kernel's policy, which each kernel of tasks defines: how long a task runs.
void policy_begin_turn(struct processor* here, struct task* task);  // before it runs, in its space
void policy_end_turn(struct task* task);                            // before it leaves its stack
void policy_no_turn(void);                                          // no task is ready here
