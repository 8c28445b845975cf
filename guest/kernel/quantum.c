// SPDX-License-Identifier: MIT

// Quanta: the timer, preemption, and the requests not to be preempted (process.h). WKS section 3:
// the kernel honours a request once a quantum, for a bounded extension.

#include "kernel.h"

#include "cas.h"
#include "slic.h"

// The timer counts down from an 8-bit value every 100 us.
#define TIMER_US 100
#define TIMER_MOST 256
#define TIMER_RUNS 1

#define STEPS_MOST 1000  // of a compare_and_swap that is interrupted

static unsigned quantum, spread, extension;  // in units of the timer

static unsigned units(const char* name, unsigned us, unsigned least) {
    unsigned chosen = arg_unsigned(name, us);
    unsigned count = (chosen + TIMER_US / 2) / TIMER_US;
    if (count < least || count > TIMER_MOST)
        panic("argument %s: %u us; the timer has %u to %u us", name, chosen, least * TIMER_US,
              TIMER_MOST * TIMER_US);
    return count;
}

static void timer_start(unsigned count) {
    slic_write(SLIC_TIMER_RELOAD, count - 1);
    slic_write(SLIC_TIMER_CONTROL, TIMER_RUNS);
}

void quantum_stop(void) {
    slic_write(SLIC_TIMER_CONTROL, 0);
}

// Quanta vary at random, so that processors do not get into step (WKS section 4.1).
void quantum_begin(struct processor* here) {
    here->extended = false;
    context_blocks[here->current->number].warning = 0;
    timer_start(quantum - spread + random_below(2 * spread + 1));
}

// While a process does not run its state is PREEMPTED, so nobody hands it a lock. Until it runs
// again only the kernel writes the state.
static bool state_try_keep(struct process* process, unsigned state) {
    if (!compare_and_swap(&context_blocks[process->number].state, state, PREEMPTED)) return false;
    process->kept_state = state;
    return true;
}

void state_keep(struct process* process) {
    volatile unsigned* state = &context_blocks[process->number].state;
    while (*state != PREEMPTED && !state_try_keep(process, *state)) {
    }
}

void state_restore(struct process* process) {
    context_blocks[process->number].state = process->kept_state;
}

// False if it asks not to be preempted. Else nobody can make it unpreemptable any more.
static bool may_be_preempted(struct process* process) {
    return context_blocks[process->number].unpreemptable == 0 &&
           state_try_keep(process, PREEMPTABLE);
}

// The current process's quantum is over, or its extension.
static void over(struct processor* here) {
    struct process* process = here->current;
    if (!run_queue_has(here->number)) {
        quantum_begin(here);
    } else if (!may_be_preempted(process) && !here->extended) {
        here->extended = true;
        context_blocks[process->number].warning = 1;
        PROBE(PROBE_PROCESS_WARN, process->number);
        timer_start(extension);
    } else {
        PROBE(PROBE_PROCESS_PREEMPT, process->number);
        leave_ready();
    }
}

// A compare_and_swap in software has a lock for some instructions. A process that is interrupted
// there is not preempted at once, but single-stepped to its end, so that nobody waits for it.
static void single_step(struct processor* here, struct trap_frame* frame) {
    here->steps = 0;
    frame->flags |= FLAG_TRAP;
}

static void timer(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (here->current == NULL) return;  // idle; the timer had fired before it was stopped
    if (in_compare_and_swap(frame->eip))
        single_step(here, frame);
    else
        over(here);
}

static void stepped(struct trap_frame* frame) {
    struct processor* here = this_processor();
    if (in_compare_and_swap(frame->eip) && ++here->steps < STEPS_MOST) return;
    frame->flags &= ~FLAG_TRAP;
    over(here);
}

void quantum_setup(void) {
    quantum = units("quantum_us", 20000, 2);
    extension = units("extension_us", 500, 1);
    spread = (arg_unsigned("quantum_spread_us", quantum * TIMER_US / 20) + TIMER_US / 2) / TIMER_US;
    if (spread >= quantum || quantum + spread > TIMER_MOST)
        panic("argument quantum_spread_us: quanta of %u us +- %u us; the timer has %u to %u us",
              quantum * TIMER_US, spread * TIMER_US, TIMER_US, TIMER_MOST * TIMER_US);
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, timer);
    on_interrupt(DEBUG_EXCEPTION, stepped);
}
