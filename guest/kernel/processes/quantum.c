// SPDX-License-Identifier: MIT

// The policy of this kernel: quanta by the timer, preemption, and the requests not to be preempted
// (process.h). WKS section 3: the kernel honours a request once a quantum, for a bounded extension.

#include "cas.h"
#include "kernel/shared/timer.h"
#include "processes.h"

static unsigned quantum, spread, extension;  // in units of the timer

// Of each processor; no other one looks at it.
static struct turn {
    LINE_ALIGNED bool extended;  // the current process has had its extension
    bool stepping;               // its single steps are the kernel's
    bool stale;                  // a timer interrupt is pending that is not of this quantum
} turns[MAX_PROCESSORS];

static interrupt_handler* fault;  // that of a process's own single steps

static struct context_block* block_of(const struct process* process) {
    return &context_blocks[process->task.number];
}

// The timer may have fired for the quantum before, and its interrupt still be pending.
static void start_timer(struct turn* turn, unsigned count) {
    timer_stop();
    turn->stale = slic_read(SLIC_PENDING) >> SLIC_CLOCK_BIN & 1;
    timer_start(count);
}

// Quanta vary at random, so that processors do not get into step (WKS section 4.1).
static void begin_quantum(struct turn* turn, const struct process* process) {
    turn->extended = false;
    turn->stepping = false;
    block_of(process)->warning = 0;
    start_timer(turn, quantum - spread + random_below(2 * spread + 1));
}

void policy_begin_turn(struct processor* here, struct task* task) {
    struct process* process = (struct process*)task;
    process->private->cpu.number = here->number;
    block_of(process)->state = process->kept_state;
    begin_quantum(&turns[here->number], process);
}

// While a process does not run its state is PREEMPTED, so nobody hands it a lock. Until it runs
// again only the kernel writes the state.
void policy_end_turn(struct task* task) {
    struct process* process = (struct process*)task;
    unsigned before = kernel_fetch_and_store(&block_of(process)->state, PREEMPTED);
    if (before != PREEMPTED) process->kept_state = before;  // else may_be_preempted has kept it
}

void policy_no_turn(void) {
    timer_stop();
}

// False if it asks not to be preempted. Else nobody can make it unpreemptable any more.
static bool may_be_preempted(struct process* process) {
    struct context_block* block = block_of(process);
    if (block->unpreemptable != 0) return false;
    if (!kernel_compare_and_swap(&block->state, PREEMPTABLE, PREEMPTED)) return false;
    process->kept_state = PREEMPTABLE;
    return true;
}

// The current process's quantum is over, or its extension.
static void end_quantum(const struct processor* here, struct turn* turn) {
    struct process* process = (struct process*)here->current;
    if (!run_queue_has(here->number)) {
        begin_quantum(turn, process);
    } else if (!may_be_preempted(process) && !turn->extended) {
        turn->extended = true;
        block_of(process)->warning = 1;
        PROBE(PROBE_PROCESS_WARN, process->task.number);
        start_timer(turn, extension);
    } else {
        PROBE(PROBE_PROCESS_PREEMPT, process->task.number);
        requeue_task();
    }
}

void yield_processor(void) {
    const struct processor* here = this_processor();
    struct process* process = (struct process*)here->current;
    if (run_queue_has(here->number)) {
        PROBE(PROBE_PROCESS_YIELD, process->task.number);
        requeue_task();
    } else {
        begin_quantum(&turns[here->number], process);
    }
}

// A compare_and_swap in software has a lock for some instructions. A process that is interrupted
// there is not preempted at once, but single-stepped to its end, so that nobody waits for it.
static void step_to_end(struct turn* turn, struct trap_frame* frame) {
    turn->stepping = true;
    frame->flags |= FLAG_TRAP;
}

static void timer_interrupt(struct trap_frame* frame) {
    const struct processor* here = this_processor();
    struct turn* turn = &turns[here->number];
    if (turn->stale || here->current == NULL)  // it had fired before it was stopped
        turn->stale = false;
    else if (in_compare_and_swap(frame->eip))
        step_to_end(turn, frame);
    else
        end_quantum(here, turn);
}

static void debug_exception(struct trap_frame* frame) {
    const struct processor* here = this_processor();
    struct turn* turn = &turns[here->number];
    if (!turn->stepping) {
        fault(frame);
        return;
    }
    if (in_compare_and_swap(frame->eip)) return;
    turn->stepping = false;
    frame->flags &= ~FLAG_TRAP;
    end_quantum(here, turn);
}

void setup_quanta(void) {
    quantum = timer_units("quantum_us", 20000, 2);
    extension = timer_units("extension_us", 500, 1);
    spread = timer_rounded(arg_unsigned("quantum_spread_us", quantum * TIMER_US / 20));
    if (spread >= quantum || quantum + spread > TIMER_MOST)
        panic("argument quantum_spread_us: quanta of %u us +- %u us; the timer has %u to %u us",
              quantum * TIMER_US, spread * TIMER_US, TIMER_US, TIMER_MOST * TIMER_US);
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, timer_interrupt);
    fault = on_interrupt(DEBUG_EXCEPTION, debug_exception);
}
