// SPDX-License-Identifier: MIT

// A processor that becomes idle does not miss a thread that becomes ready at the same time. In each
// round one processor finishes a thread and becomes idle; after a delay another one creates a
// thread and spins until that has run. The delays of all rounds cover all interleavings, 10 clocks
// apart. The other processors fill the bus with stores, so that write buffers stay full and loads
// overtake stores (threads_wake.expect): a strategy for which that matters must prevent it.
//
// Argument: delays, how many; default 120, up to 75 us.

#include "cpu.h"
#include "locks/turns.h"
#include "test.h"
#include "threads.h"

#define PATIENCE_US 3000  // a thread that is not forgotten runs within 300

static struct { LINE_ALIGNED volatile unsigned begun, ran; } last;
static struct { LINE_ALIGNED volatile bool done; } rounds;
static struct { LINE_ALIGNED volatile unsigned word; } noise[MAX_PROCESSORS];

static void store(void* word) {
    while (!rounds.done) *(volatile unsigned*)word = 0;
}

static void become_idle(void* round) {
    last.begun = (uintptr_t)round;
}

static void run(void* round) {
    last.ran = (uintptr_t)round;
}

static void wait_for_round(volatile unsigned* word, unsigned round) {
    uint32_t start_us = clock_us();
    while (*word != round) CHECK(clock_us() - start_us < PATIENCE_US);
}

static void first_thread(void* delays) {
    for (unsigned i = 2; i < processors(); i++) thread_create(store, (void*)&noise[i]);
    for (unsigned round = 1; round <= *(const unsigned*)delays; round++) {
        thread_create(become_idle, (void*)round);
        wait_for_round(&last.begun, round);
        delay_turns(round);
        thread_create(run, (void*)round);
        wait_for_round(&last.ran, round);
    }
    rounds.done = true;
}

int main(void) {
    unsigned delays = arg_unsigned("delays", 120);
    if (processors() > 1) threads_run(first_thread, &delays);
    return 0;
}
