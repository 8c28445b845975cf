// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the kernel. It runs in ring 0 with interrupts off: on a process's kernel stack
// after an interrupt or a system call, on the processor's boot stack in the scheduler.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "devices.h"
#include "interrupts.h"
#include "paging.h"
#include "process.h"
#include "spinlock.h"
#include "symsim.h"

#define STACK_PAGES 4                                        // a process's stack in ring 3
#define STACK_TOP PRIVATE_PAGE                               // grows down from the private page
#define STACK_BOTTOM (STACK_TOP - STACK_PAGES * PAGE_BYTES)  // no page is mapped below

struct process {
    LINE_ALIGNED struct process* next;  // in the list that it is in: a run queue, or sleepers
    int number;
    int bound;           // the one processor that may run it, or ANY_PROCESSOR
    int last;            // the processor that ran it last
    void* context;       // esp of the kernel stack while it does not run (switch.S)
    char* kernel_stack;  // a page
    struct space* space;
    struct private_page* private;  // at the page's own address
    unsigned kept_state;           // for context_block.state when it runs again
    volatile unsigned* sleeps_on;
    volatile unsigned ended;  // 1; who waits for it sleeps on this word
    int status;
    bool uses_fpu;  // its registers are in the 80387 now
    bool has_fpu;   // ... or have been, and are in `fpu` while they are not
    uint32_t fpu[27];
};

// What the kernel keeps for a processor. `current` is NULL in the scheduler.
struct processor {
    LINE_ALIGNED struct process* current;
    unsigned number;
    void* scheduler;              // esp of the scheduler while a process runs
    struct space* space;          // in use
    bool extended;                // the current process has had its extension
    bool stepping;                // its single steps are the kernel's (quantum.c)
    bool stale;                   // a timer interrupt is pending that is not of this quantum
    struct spinlock* to_release;  // by the scheduler, when the process has left its stack
    LINE_ALIGNED volatile unsigned char idle;  // sleeps, and wants to be notified of work
};
struct processor* this_processor(void);
extern struct processor kernel_processors[MAX_PROCESSORS];

// process.c
struct process* process_at(int number);  // NULL if there is none
void processes_setup(void);
int process_create(uintptr_t function, uint32_t argument, int processor);
int process_await(int number);
_Noreturn void process_end(int status);  // the current one

// schedule.c
_Noreturn void run_processes(struct processor* here);  // on the boot stack
void make_ready(struct process* process);
// The current process lets others run, if any wait for its processor.
void yield_processor(void);
// The current process stops running. It is ready again at once, or when somebody wakes it.
void requeue_process(void);
void block_process(struct spinlock* to_release);
_Noreturn void retire_process(void);

// quantum.c
void quantum_setup(void);
void begin_quantum(struct processor* here);
void stop_quantum(void);
void keep_state(struct process* process);     // it stops running: PREEMPTED
void restore_state(struct process* process);  // it runs again

// sleep.c
bool sleep_on(volatile unsigned* word, unsigned value);
unsigned wake_sleepers(volatile unsigned* word, unsigned count);

// faults.c
void faults_setup(void);
_Noreturn void fault(struct trap_frame* frame);  // ends the current process

// system_call.c, fpu.c, space.c, queues.c
void system_calls_setup(void);
void fpu_setup(void);
void leave_fpu(struct process* process);
void enter_fpu(struct process* process);
extern struct space* kernel_space;
void spaces_setup(void);
bool space_for_process(struct process* process);  // and its kernel stack; false: no memory
// The page's own address of a word that ring 3 may access; NULL if it may not.
volatile unsigned* user_word(struct process* process, uintptr_t address);
bool user_range(struct process* process, uintptr_t begin, uint32_t bytes);
void run_queue_add(struct process* process, unsigned home);  // `home`: where it should run
struct process* run_queue_take(unsigned processor);          // NULL if none may run there
bool run_queue_has(unsigned processor);  // one that was added for this processor

// switch.S
void switch_stacks(void** from, void* to);
void process_begin(void);  // a new process's first return address
