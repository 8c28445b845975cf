// SPDX-License-Identifier: MIT

// Quanta: the timer, preemption, and the requests not to be preempted (process.h). WKS section 3:
// the kernel honours a request once a quantum, for a bounded extension.

#include "kernel.h"

#include "cas.h"
#include "timer.h"

static unsigned quantum, spread, extension;  // in units of the timer

// The timer may have fired for the quantum before, and its interrupt still be pending.
static void start_quantum(struct processor* here, unsigned count) {
    timer_stop();
    here->stale = slic_read(SLIC_PENDING) >> SLIC_CLOCK_BIN & 1;
    timer_start(count);
}

void stop_quantum(void) {
    timer_stop();
}

// Quanta vary at random, so that processors do not get into step (WKS section 4.1).
void begin_quantum(struct processor* here) {
    here->extended = false;
    here->stepping = false;
    context_blocks[here->current->number].warning = 0;
    start_quantum(here, quantum - spread + random_below(2 * spread + 1));
}

// While a process does not run its state is PREEMPTED, so nobody hands it a lock. Until it runs
// again only the kernel writes the state.
void keep_state(struct process* process) {
    unsigned before = kernel_fetch_and_store(&context_blocks[process->number].state, PREEMPTED);
    if (before != PREEMPTED) process->kept_state = before;  // else may_be_preempted has kept it
}

void restore_state(struct process* process) {
    context_blocks[process->number].state = process->kept_state;
}

// False if it asks not to be preempted. Else nobody can make it unpreemptable any more.
static bool may_be_preempted(struct process* process) {
    if (context_blocks[process->number].unpreemptable != 0) return false;
    if (!kernel_compare_and_swap(&context_blocks[process->number].state, PREEMPTABLE, PREEMPTED))
        return false;
    process->kept_state = PREEMPTABLE;
    return true;
}

// The current process's quantum is over, or its extension.
static void end_quantum(struct processor* here) {
    struct process* process = here->current;
    if (!run_queue_has(here->number)) {
        begin_quantum(here);
    } else if (!may_be_preempted(process) && !here->extended) {
        here->extended = true;
        context_blocks[process->number].warning = 1;
        PROBE(PROBE_PROCESS_WARN, process->number);
        start_quantum(here, extension);
    } else {
        PROBE(PROBE_PROCESS_PREEMPT, process->number);
        requeue_process();
    }
}

// A compare_and_swap in software has a lock for some instructions. A process that is interrupted
// there is not preempted at once, but single-stepped to its end, so that nobody waits for it.
static void step_to_end(struct processor* here, struct trap_frame* frame) {
    here->stepping = true;
    frame->flags |= FLAG_TRAP;
}

static void timer_interrupt(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (here->stale || here->current == NULL)  // it had fired before it was stopped
        here->stale = false;
    else if (in_compare_and_swap(frame->eip))
        step_to_end(here, frame);
    else
        end_quantum(here);
}

static void debug_exception(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (!here->stepping) fault(frame);  // by the process itself
    if (in_compare_and_swap(frame->eip)) return;
    here->stepping = false;
    frame->flags &= ~FLAG_TRAP;
    end_quantum(here);
}

void quantum_setup(void) {
    quantum = timer_units("quantum_us", 20000, 2);
    extension = timer_units("extension_us", 500, 1);
    spread = timer_rounded(arg_unsigned("quantum_spread_us", quantum * TIMER_US / 20));
    if (spread >= quantum || quantum + spread > TIMER_MOST)
        panic("argument quantum_spread_us: quanta of %u us +- %u us; the timer has %u to %u us",
              quantum * TIMER_US, spread * TIMER_US, TIMER_US, TIMER_MOST * TIMER_US);
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, timer_interrupt);
    on_interrupt(DEBUG_EXCEPTION, debug_exception);
}
