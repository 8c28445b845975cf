// SPDX-License-Identifier: MIT

// Which process runs. Each processor has a scheduler on its boot stack. A process that stops
// running switches to it; only then may another processor run the process.

#include "kernel.h"

#include "descriptors.h"
#include "sections.h"
#include "slic.h"

#define RESCHEDULE 0x40  // the software bit by which DYNIX asks a processor to reschedule

static void switch_space(struct processor* here, struct space* space) {
    if (here->space == space) return;
    here->space = space;
    use_space(space);
}

static void run_process(struct processor* here, struct process* process) {
    here->current = process;
    process->last = (int)here->number;
    process->private->cpu.number = here->number;
    this_task()->inner[0].esp = (uintptr_t)process->kernel_stack + PAGE_BYTES;
    switch_space(here, process->space);
    enter_fpu(process);
    restore_state(process);
    begin_quantum(here);
    PROBE(PROBE_PROCESS_RUN, process->number);
    switch_stacks(&here->scheduler, process->context);
    here->current = NULL;
}

// What is left to do for a process that is off its stack.
static void settle_process(struct processor* here, struct process* process) {
    leave_fpu(process);
    if (process->ended) return;
    if (here->to_release != NULL) {
        struct spinlock* lock = here->to_release;
        here->to_release = NULL;
        spinlock_release(lock);  // from here on it can be woken, and run elsewhere
    } else {
        make_ready(process);
    }
}

// A processor sets `idle` before it looks at the queues for the last time; who makes a process
// ready adds it to a queue before it looks at `idle`. Both make their stores visible in between
// (ordering.h rule 4), so one of them sees the other.
static struct process* wait_for_process(struct processor* here) {
    stop_quantum();
    exchange_byte(&here->idle, 1);
    struct process* process = run_queue_take(here->number);
    if (process == NULL) sleep_until_interrupt();
    here->idle = 0;
    return process;
}

// Runs processes, for ever.
_Noreturn void run_processes(struct processor* here) {
    for (;;) {
        struct process* process = run_queue_take(here->number);
        if (process == NULL) process = wait_for_process(here);
        if (process == NULL) continue;
        run_process(here, process);
        settle_process(here, process);
    }
}

// Wakes a processor if it is idle. Of several who want to, one does.
static bool wake_processor(unsigned processor) {
    struct processor* other = &kernel_processors[processor];
    return other->idle && exchange_byte(&other->idle, 0) &&
           slic_send(SLIC_PROCESSOR(processor), 0, RESCHEDULE);
}

// The process goes to the queue of the processor that ran it last, whose cache it knows. If that is
// busy, and the process is not bound, one that is idle steals it.
void make_ready(struct process* process) {
    const unsigned last = (unsigned)process->last;
    const bool bound = process->bound != ANY_PROCESSOR;
    run_queue_add(process, last);
    if (bound && last == read_register(BOARD_PROCESSOR)) return;
    stores_before_loads();
    if (wake_processor(last) || bound) return;
    for (unsigned i = 0; i < processors(); i++)
        if (wake_processor(i)) return;
}

static void leave_stack(struct process* process) {
    keep_state(process);
    switch_stacks(&process->context, this_processor()->scheduler);
}

void yield_processor(void) {
    struct processor* here = this_processor();
    if (run_queue_has(here->number)) {
        PROBE(PROBE_PROCESS_YIELD, here->current->number);
        requeue_process();
    } else {
        begin_quantum(here);
    }
}

void requeue_process(void) {
    leave_stack(this_processor()->current);
}

void block_process(struct spinlock* to_release) {
    struct processor* here = this_processor();
    here->to_release = to_release;
    PROBE(PROBE_PROCESS_BLOCK, here->current->number);
    leave_stack(here->current);
}

_Noreturn void retire_process(void) {
    struct process* process = this_processor()->current;
    PROBE(PROBE_PROCESS_EXIT, process->number);
    leave_stack(process);
    panic("process %d runs after its end", process->number);
}
