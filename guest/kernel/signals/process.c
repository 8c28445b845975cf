// SPDX-License-Identifier: MIT

// process.h without a kernel: workers, processes that are only simulated, and main, which schedules
// while it waits. All run in ring 0, each worker on its processor's boot stack.

#include "signals.h"

#include "descriptors.h"
#include "slic.h"

static struct {
    unsigned number;                       // of processes
    struct worker* worker[MAX_PROCESSES];  // NULL: only simulated
} processes;

static void setup_processor(struct process* process) {
    descriptors_load();
    if (!space_for_process(process)) panic("no memory for a further process");
    use_space(process->task.space);
    process->private->process = process->task.number;
    process->private->block = &context_blocks[process->task.number];
    slic_mask(1 << SIGNAL_BIN);
}

static void run_worker(unsigned number, void* unused) {
    (void)unused;
    struct worker* worker = &workers[number];
    setup_processor(&worker->process);
    interrupts_on();
    PROBE(PROBE_PROCESS_RUN, worker->process.task.number);
    worker->function(worker->argument);
    process_exit(0);
}

int process_spawn(process_function* function, void* argument, int processor) {
    if (processor < 0 || (unsigned)processor + 1 >= processors()) return -1;
    if (processes.number == MAX_PROCESSES) return -1;
    const int number = (int)processes.number++;
    struct worker* worker = &workers[processor + 1];
    if (worker->function != NULL) {
        worker->simulated++;
        return number;
    }
    processes.worker[number] = worker;
    worker->process.task.number = number;
    worker->process.task.last = processor + 1;
    worker->function = function;
    worker->argument = argument;
    PROBE(PROBE_PROCESS_CREATE, number);
    begin_worker(worker);
    start_on((unsigned)processor + 1, run_worker, NULL);
    return number;
}

_Noreturn void process_exit(int status) {
    if (process_self() == 0) exit(status);
    struct worker* worker = &workers[read_register(BOARD_PROCESSOR)];
    interrupts_off();
    PROBE(PROBE_PROCESS_EXIT, worker->process.task.number);
    worker->process.status = status;
    compiler_barrier();
    worker->ended = 1;
    for (;;) __asm__ volatile("hlt");
}

// Only main waits; what is simulated has no end of its own.
int process_wait(int process) {
    if (process < 0 || (unsigned)process >= processes.number) return -1;
    struct worker* worker = processes.worker[process];
    if (worker == NULL) return 0;
    schedule_until_ended(worker);
    return worker->process.status;
}

// There is nobody to whom the processor could be given.
bool process_sleep(volatile unsigned* word, unsigned value) {
    const bool waits = *word == value;
    while (*word == value) {
    }
    return waits;
}

unsigned process_wake(volatile unsigned* word, unsigned count) {
    (void)word, (void)count;
    return 0;
}

// main is process 0, on processor 0.
int __wrap_main(int count, char** arguments);
int __real_main(int count, char** arguments);
int __wrap_main(int count, char** arguments) {
    static struct process self;
    setup_memory();
    processes.number = 1;
    setup_processor(&self);
    PROBE(PROBE_PROCESS_CREATE, 0);
    PROBE(PROBE_PROCESS_RUN, 0);
    setup_scheduler();
    exit(__real_main(count, arguments));
}
