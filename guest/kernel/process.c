// SPDX-License-Identifier: MIT

// The table of processes: how they are created, awaited and ended.

#include "kernel.h"

#include "descriptors.h"
#include "lib/internal.h"
#include "user/user.h"

static struct process processes[MAX_PROCESSES];
static struct spinlock creation;  // for the next two
static volatile unsigned created, living;
static uint32_t seed;

void processes_setup(void) {
    seed = arg_unsigned("seed", 0);
}

struct process* process_at(int number) {
    return number >= 0 && (unsigned)number < created ? &processes[number] : NULL;
}

// The stack in ring 3 is as if process_exit had called the function with its argument: the caller
// of a process's function is user/process.c.
static void prepare(struct process* process, uintptr_t function, uint32_t argument) {
    struct trap_frame* frame = (struct trap_frame*)(process->kernel_stack + PAGE_BYTES) - 1;
    *frame = (struct trap_frame){
        .es = USER_DATA,
        .ds = USER_DATA,
        .eax = function,
        .edx = argument,
        .eip = (uintptr_t)process_main,
        .cs = USER_CODE,
        .flags = FLAG_INTERRUPT,
        .esp = STACK_TOP - 16,
        .ss = USER_DATA,
    };
    uintptr_t* stack = (uintptr_t*)frame;
    *--stack = (uintptr_t)process_begin;
    process->context = stack - 6;  // registers for switch_stacks, all 0
}

int process_create(uintptr_t function, uint32_t argument, int processor) {
    if (processor != ANY_PROCESSOR && (processor < 0 || (unsigned)processor >= processors()))
        return -1;
    spinlock_acquire(&creation);
    int number = -1;
    struct process* process = &processes[created];
    if (created < MAX_PROCESSES && space_for_process(process)) {
        number = process->number = (int)created;
        process->bound = processor;
        process->last =
            processor == ANY_PROCESSOR ? (int)read_register(BOARD_PROCESSOR) : processor;
        process->kept_state = PREEMPTABLE;
        process->private->process = number;
        process->private->block = &context_blocks[number];
        process->private->cpu.random = random_seed(seed, MAX_PROCESSORS + number);
        context_blocks[number].state = PREEMPTED;
        prepare(process, function, argument);
        created = number + 1;
        living++;
    }
    spinlock_release(&creation);
    if (number >= 0) {
        PROBE(PROBE_PROCESS_CREATE, number);
        make_ready(process);
    }
    return number;
}

int process_await(int number) {
    struct process* process = process_at(number);
    if (process == NULL || process == this_processor()->current) return -1;
    while (!process->ended) sleep_on(&process->ended, 0);
    return process->status;
}

static bool none_lives_after_this(void) {
    spinlock_acquire(&creation);
    const bool none = --living == 0;
    spinlock_release(&creation);
    return none;
}

_Noreturn void process_end(int status) {
    struct process* process = this_processor()->current;
    process->status = status;
    process->ended = 1;
    wake_sleepers(&process->ended, MAX_PROCESSES);
    if (none_lives_after_this()) exit(processes[0].status);
    retire_process();
}
