// SPDX-License-Identifier: MIT

// The scheduler on processor 0, and what a worker does when it has to stop.

#include "kernel/processes/cas.h"
#include "signals.h"
#include "slic.h"

struct worker workers[MAX_PROCESSORS];
static unsigned quantum_mean_us, spread_us, extension_us;

static struct context_block* block_of(struct worker* worker) {
    return &context_blocks[worker->process.task.number];
}

// Spins until the scheduler lets the worker continue.
static void wait_for_start(struct worker* worker) {
    while (worker->stop) {
    }
    PROBE(PROBE_PROCESS_RUN, worker->process.task.number);
}

// False if it asks not to be preempted. Else nobody can make it unpreemptable any more. As in the
// kernel, its own processor decides this: the worker changes its state by simple stores too.
static bool may_be_preempted(struct worker* worker) {
    struct context_block* block = block_of(worker);
    if (block->unpreemptable != 0) return false;
    if (!compare_and_swap(&block->state, PREEMPTABLE, PREEMPTED)) return false;
    worker->process.kept_state = PREEMPTABLE;
    return true;
}

static void give_processor_up(struct worker* worker) {
    worker->process.kept_state = fetch_and_store(&block_of(worker)->state, PREEMPTED);
}

static void refuse_to_stop(struct worker* worker) {
    PROBE(PROBE_PROCESS_WARN, worker->process.task.number);
    block_of(worker)->warning = 1;
    worker->stop = 0;
    worker->refuses = 1;
}

static void stop_here(void) {
    struct worker* worker = &workers[read_register(BOARD_PROCESSOR)];
    if (!worker->stop) return;
    if (!may_be_preempted(worker)) {
        if (!worker->extended) {
            refuse_to_stop(worker);
            return;
        }
        give_processor_up(worker);
    }
    PROBE(PROBE_PROCESS_PREEMPT, worker->process.task.number);
    wait_for_start(worker);
}

// A compare_and_swap in software is single-stepped to its end, so that the scheduler does not wait
// for its lock.
static void signal_interrupt(struct trap_frame* frame) {
    slic_message();
    if (in_compare_and_swap(frame->eip))
        frame->flags |= FLAG_TRAP;
    else
        stop_here();
}

static void debug_exception(struct trap_frame* frame) {
    if (in_compare_and_swap(frame->eip)) return;
    frame->flags &= ~FLAG_TRAP;
    stop_here();
}

void process_yield(void) {
    struct worker* worker = &workers[read_register(BOARD_PROCESSOR)];
    if (worker->simulated == 0) return;  // nobody else wants the processor
    uint32_t flags = interrupts_save();
    give_processor_up(worker);
    if (!worker->stop) {
        worker->stop = 1;
        worker->yields = 1;
    }
    PROBE(PROBE_PROCESS_YIELD, worker->process.task.number);
    wait_for_start(worker);
    interrupts_restore(flags);
}

static uint32_t quantum_us(void) {
    return quantum_mean_us - spread_us + random_below(2 * spread_us + 1);
}

static void start_quantum(struct worker* worker, uint32_t now) {
    struct context_block* block = block_of(worker);
    worker->stopped = worker->extended = false;
    worker->until_us = now + quantum_us();
    block->warning = 0;
    block->state = worker->process.kept_state;
    compiler_barrier();
    worker->stop = 0;
}

void begin_worker(struct worker* worker) {
    start_quantum(worker, clock_us());
}

// The worker stands still for a quantum of each simulated process.
static void begin_stop(struct worker* worker, uint32_t now) {
    worker->stopped = true;
    worker->until_us = now;
    for (unsigned i = 0; i < worker->simulated; i++) worker->until_us += quantum_us();
}

static void stop_worker(struct worker* worker, uint32_t now) {
    worker->stop = 1;
    slic_send(SLIC_PROCESSOR(worker->process.task.last), SIGNAL_BIN, 0);
    begin_stop(worker, now);
}

static void extend_quantum(struct worker* worker, uint32_t now) {
    worker->stopped = false;
    worker->extended = true;
    worker->until_us = now + extension_us;
}

static void look_after_worker(struct worker* worker) {
    const uint32_t now = clock_us();
    if (worker->refuses) {
        worker->refuses = 0;
        extend_quantum(worker, now);
    }
    if (worker->yields) {  // perhaps after it has refused
        worker->yields = 0;
        begin_stop(worker, now);
    }
    if ((int32_t)(now - worker->until_us) < 0) return;
    if (worker->stopped)
        start_quantum(worker, now);
    else if (worker->simulated == 0)
        worker->until_us = now + quantum_us();
    else
        stop_worker(worker, now);
}

void schedule_until_ended(struct worker* awaited) {
    while (!awaited->ended)
        for (unsigned i = 1; i < processors(); i++)
            if (workers[i].function != NULL && !workers[i].ended) look_after_worker(&workers[i]);
}

void setup_scheduler(void) {
    quantum_mean_us = arg_unsigned("quantum_us", 20000);
    spread_us = arg_unsigned("quantum_spread_us", quantum_mean_us / 20);
    extension_us = arg_unsigned("extension_us", 500);
    if (spread_us >= quantum_mean_us)
        panic("argument quantum_spread_us: %u is not below quantum_us, %u", spread_us,
              quantum_mean_us);
    on_interrupt(SLIC_VECTORS + SIGNAL_BIN, signal_interrupt);
    on_interrupt(DEBUG_EXCEPTION, debug_exception);
}
