// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the kernel of processes, which are tasks that share one program and its
// memory.

#include "kernel/shared/kernel.h"
#include "kernel/shared/task.h"
#include "process.h"
#include "symsim.h"

#define STACK_PAGES 4                                        // a process's stack in ring 3
#define STACK_TOP PRIVATE_PAGE                               // grows down from the private page
#define STACK_BOTTOM (STACK_TOP - STACK_PAGES * PAGE_BYTES)  // no page is mapped below

struct process {
    struct task task;
    struct private_page* private;  // at the page's own address
    unsigned kept_state;           // for context_block.state when it runs again
    int status;                    // once it has ended; who waits for it sleeps on `task.ended`
};

// process.c
static inline struct process* this_process(void) {
    return (struct process*)this_processor()->current;
}
void setup_processes(void);
// The number of a new process that calls function(argument), or -1.
int process_create(uintptr_t function, uint32_t argument, int processor);
// Sleeps until the process has ended; returns its status, or -1 if there is no other process.
int process_await(int number);
_Noreturn void process_end(int status);  // the current one

// quantum.c
void setup_quanta(void);
void yield_processor(void);  // the current process lets others run, if any wait for its processor

// memory.c
void setup_memory(void);
// A space, its stacks and its private page; false if there is no memory.
bool space_for_process(struct process* process);

// faults.c, system_call.c
void setup_faults(void);  // before setup_quanta(), which gets single steps first
void setup_system_calls(void);
