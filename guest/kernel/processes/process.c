// SPDX-License-Identifier: MIT

// The table of processes: how they are created, awaited and ended.

#include "kernel/user/user.h"
#include "lib/internal.h"
#include "processes.h"

static struct process processes[MAX_PROCESSES];
static struct spinlock table_lock;  // for the next two
static volatile unsigned created, living;
static uint32_t seed;

void setup_processes(void) {
    seed = arg_unsigned("seed", 0);
}

// NULL if there is none.
static struct process* process_at(int number) {
    return number >= 0 && (unsigned)number < created ? &processes[number] : NULL;
}

// Fills the record, whose space is there. The stack in ring 3 is as if process_exit had called the
// function with its argument: the caller of a process's function is user/process.c.
static void fill_record(struct process* process, int number, int processor) {
    struct task* task = &process->task;
    task->number = number;
    task->bound = processor == ANY_PROCESSOR ? UNBOUND : processor;
    task->last = processor == ANY_PROCESSOR ? (int)read_register(BOARD_PROCESSOR) : processor;
    process->kept_state = PREEMPTABLE;
    process->private->process = number;
    process->private->block = &context_blocks[number];
    process->private->cpu.random = random_seed(seed, MAX_PROCESSORS + number);
    context_blocks[number].state = PREEMPTED;
}

int process_create(uintptr_t function, uint32_t argument, int processor) {
    if (processor != ANY_PROCESSOR && (processor < 0 || (unsigned)processor >= processors()))
        return -1;
    spinlock_acquire(&table_lock);
    int number = -1;
    struct process* process = &processes[created];
    if (created < MAX_PROCESSES && space_for_process(process)) {
        number = (int)created;
        fill_record(process, number, processor);
        prepare_task(&process->task, (uintptr_t)process_main, STACK_TOP - 16, function, argument);
        created = number + 1;
        living++;
    }
    spinlock_release(&table_lock);
    if (number >= 0) {
        PROBE(PROBE_PROCESS_CREATE, number);
        make_ready(&process->task);
    }
    return number;
}

int process_await(int number) {
    struct process* process = process_at(number);
    if (process == NULL || process == this_process()) return -1;
    while (!process->task.ended) sleep_on(&process->task.ended, 0);
    return process->status;
}

static bool none_lives_after_this(void) {
    spinlock_acquire(&table_lock);
    const bool none = --living == 0;
    spinlock_release(&table_lock);
    return none;
}

_Noreturn void process_end(int status) {
    struct process* process = this_process();
    process->status = status;
    process->task.ended = 1;
    wake_sleepers(&process->task.ended, MAX_PROCESSES);
    if (none_lives_after_this()) exit(processes[0].status);
    retire_task();
}
