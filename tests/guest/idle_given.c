// SPDX-License-Identifier: MIT

// Whoever creates a thread while a processor is in the idle queue fills that processor's block and
// stack (ALL section 3.4). A processor that leaves the idle queue without a new thread gives both
// back. This is a test of guest/threads/strategies/idle-queue.h alone, without a dispatcher.

#include "cpu.h"
#include "test.h"

#define SYMSIM_STRATEGY_FILE "threads/strategies/idle-queue.h"
#include "free_lists.h"
#include "threads/strategy.h"

struct processor_and_own thread_processors[MAX_PROCESSORS];
struct threads_end threads_end;

void thread_returned(void);
void thread_returned(void) {}  // no thread runs here

static int data;
static struct next given;

static void function(void* unused) {
    (void)unused;
}

static void be_idle(unsigned cpu, void* unused) {
    (void)unused;
    processor_setup(cpu, &thread_processors[cpu].processor, sizeof thread_processors[cpu]);
    strategy_idle();
    given = strategy_next(NULL, NULL);
}

static void leave_idle(unsigned cpu, void* unused) {
    (void)cpu;
    (void)unused;
    if (given.thread != NULL) local_finish(given.thread, given.stack);
    be_idle(cpu, NULL);
}

int main(void) {
    processor_setup(0, &thread_processors[0].processor, sizeof thread_processors[0]);
    strategy_setup(processors());
    strategy_refill();
    start_on(1, be_idle, NULL);
    while (!some_idle()) {
    }
    CHECK(strategy_create((struct birth){function, &data, 0}));
    wait_for(1);
    CHECK(given.thread != NULL && given.thread->function == function);
    CHECK(given.stack != NULL && given.stack->argument == &data);

    threads_stopping = true;
    start_on(1, leave_idle, NULL);
    wait_for(1);
    CHECK(given.thread == NULL && !some_idle());
    all_is_free();
    return 0;
}
