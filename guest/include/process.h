// SPDX-License-Identifier: MIT
#pragma once

// Processes: programs built with KERNEL in symsim_guest(), or by `symlab cc --kernel`. The kernel
// (guest/kernel) shares the processors among them and preempts them; docs/reference/kernel.md.
//
// main() runs in process 0, and the run ends when it returns. All processes run the same program in
// ring 3. Variables and malloc's memory are shared, at the same addresses. Stacks are private: what
// other processes look at, such as the slot of a queue lock, must not be on one. A process that
// faults is ended with a report, and the others continue.

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "ordering.h"

#define MAX_PROCESSES 254    // in a run; numbers are not used again
#define ANY_PROCESSOR (-1)   // a process that any processor may run
#define PROCESS_FAULTED 256  // the status of a process that the kernel has ended

typedef void process_function(void* argument);

// Creates a process that runs only on `processor`, or on any. Returns its number, or -1 if there
// are too many or no such processor.
int process_spawn(process_function* function, void* argument, int processor);
_Noreturn void process_exit(int status);  // as if `function` returned, with status 0
// Waits until the process has ended, and returns its status; -1 if there is no such process.
int process_wait(int process);
void process_yield(void);
// Sleeps until process_wake, if *word is still `value`. True if it has slept.
bool process_sleep(volatile unsigned* word, unsigned value);
// Wakes at most `count` processes that sleep on the word; returns how many.
unsigned process_wake(volatile unsigned* word, unsigned count);

// ---- the shared page: what process and kernel tell each other without a system call ----

// The state in the extended interface of WKS section 3. Both sides change it by compare_and_swap. A
// process that does not run is PREEMPTED.
enum process_state { PREEMPTABLE, PREEMPTED, UNPREEMPTABLE_SELF, UNPREEMPTABLE_OTHER };

// When a process's quantum ends and it is not preemptable, the kernel sets `warning`, and lets it
// run on for one bounded extension. So it should yield when it is preemptable again. The kernel
// clears `warning` when a quantum begins.
struct context_block {
    LINE_ALIGNED volatile unsigned state;  // an enum process_state
    volatile unsigned unpreemptable;       // Symunix's interface: written by the process alone
    volatile unsigned warning;             // written by the kernel
};
extern struct context_block context_blocks[MAX_PROCESSES];

// A page of the process's own, at the same address in each process. The kernel keeps `cpu.number`
// up to date: the processor on which the process runs.
struct private_page {
    struct cpu cpu;
    int process;
    struct context_block* block;
};
#define PRIVATE ((struct private_page*)PRIVATE_PAGE)

static inline int process_self(void) {
    return PRIVATE->process;
}
static inline struct context_block* process_block(void) {
    return PRIVATE->block;
}

// If *word is `expected`, writes `value`; true if it was. A 386 has no such instruction. There it
// is done in software under a lock (WKS section 4.1), and is one step only for those who change the
// word by one of these two functions.
bool compare_and_swap(volatile unsigned* word, unsigned expected, unsigned value);
// Writes `value`, and returns what the word was.
unsigned fetch_and_store(volatile unsigned* word, unsigned value);
