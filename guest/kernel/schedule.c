// SPDX-License-Identifier: MIT

// Which process runs. Each processor has a scheduler on its boot stack. A process that stops
// running switches to it; only then is its kernel stack given to others.

#include "kernel.h"

#include "descriptors.h"
#include "sections.h"
#include "slic.h"

#define TOLD 0x40  // the software bit by which DYNIX asks a processor to reschedule

static void use(struct processor* here, struct space* space) {
    if (here->space == space) return;
    here->space = space;
    use_space(space);
}

static void run(struct processor* here, struct process* process) {
    here->current = process;
    process->last = (int)here->number;
    process->private->cpu.number = here->number;
    this_task()->inner[0].esp = (uintptr_t)process->kernel_stack + PAGE_BYTES;
    use(here, process->space);
    fpu_enter(process);
    state_restore(process);
    quantum_begin(here);
    PROBE(PROBE_PROCESS_RUN, process->number);
    switch_stacks(&here->scheduler, process->context);
    here->current = NULL;
}

// What is left to do for a process that is off its stack.
static void finish(struct processor* here, struct process* process) {
    fpu_leave(process);
    if (process->ended) {
        use(here, kernel_space);
        space_free(process);
        page_free(process->kernel_stack);
    } else if (here->to_release != NULL) {
        struct spinlock* lock = here->to_release;
        here->to_release = NULL;
        spinlock_release(lock);  // from here on it can be woken, and run elsewhere
    } else {
        make_ready(process);
    }
}

// Who makes a process ready adds it and then looks at `idle`; the exchange makes `idle` visible
// before the queue is looked at (ordering.h rule 4).
static void idle(struct processor* here) {
    quantum_stop();
    exchange_byte(&here->idle, 1);
    if (!run_queue_has(here->number)) sleep_until_interrupt();
    here->idle = 0;
}

// Runs processes, for ever.
_Noreturn void schedule(struct processor* here) {
    for (;;) {
        struct process* process = run_queue_take(here->number);
        if (process == NULL) {
            idle(here);
            continue;
        }
        run(here, process);
        finish(here, process);
    }
}

static void tell(unsigned processor) {
    if (!kernel_processors[processor].idle) return;
    kernel_processors[processor].idle = 0;
    slic_send(processor, 0, TOLD);
}

// A process that is not bound goes to the processor that ran it last, whose cache it knows, or to
// one that is idle.
static unsigned home_of(struct process* process) {
    const unsigned last = (unsigned)process->last;
    if (process->bound != ANY_PROCESSOR || kernel_processors[last].idle) return last;
    for (unsigned i = 0; i < processors(); i++)
        if (kernel_processors[i].idle) return i;
    return last;
}

void make_ready(struct process* process) {
    const unsigned home = home_of(process);
    run_queue_add(process, home);
    if (home != read_register(BOARD_PROCESSOR)) tell(home);
}

static void leave(struct process* process) {
    state_keep(process);
    switch_stacks(&process->context, this_processor()->scheduler);
}

void leave_ready(void) {
    leave(this_processor()->current);
}

void leave_blocked(struct spinlock* to_release) {
    struct processor* here = this_processor();
    here->to_release = to_release;
    PROBE(PROBE_PROCESS_BLOCK, here->current->number);
    leave(here->current);
}

_Noreturn void leave_for_ever(void) {
    struct process* process = this_processor()->current;
    PROBE(PROBE_PROCESS_EXIT, process->number);
    leave(process);
    panic("process %d runs after its end", process->number);
}
