// SPDX-License-Identifier: MIT

// Which processor runs a process: bound ones run where they are bound, others where somebody is
// idle, and no processor sleeps while a process waits that it may run.

#include "process.h"
#include "test.h"

static volatile unsigned stop, runs_on[MAX_PROCESSES];

static void watch(void* argument) {
    const unsigned bound = (unsigned)argument;
    for (unsigned i = 0; i < 300; i++) {
        CHECK_EQUAL(processor(), bound);
        CHECK_EQUAL(read_register(BOARD_PROCESSOR), bound);
        if (i % 50 == 0) process_yield();
    }
}

// Process 0 is bound to processor 0, too.
static void binding(void) {
    int number[3 * MAX_PROCESSORS];
    for (unsigned i = 0; i < 3 * processors(); i++)
        number[i] = process_spawn(watch, (void*)(i % processors()), (int)(i % processors()));
    for (unsigned i = 0; i < 3 * processors(); i++) CHECK_EQUAL(process_wait(number[i]), 0);
    CHECK_EQUAL(read_register(BOARD_PROCESSOR), 0);
}

static void compute(void* argument) {
    volatile unsigned* mine = argument;
    while (!stop) *mine = processor() + 1;
}

// As many processes that never yield as processors: each gets one of its own, for they are stolen
// from the processor that has created them.
static void stealing(void) {
    int number[MAX_PROCESSORS];
    for (unsigned i = 1; i < processors(); i++)
        number[i] = process_spawn(compute, (void*)&runs_on[i], ANY_PROCESSOR);
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 2000) {
    }
    uint64_t used = 0;
    for (unsigned i = 1; i < processors(); i++) {
        CHECK(runs_on[i] != 0);
        used |= (uint64_t)1 << (runs_on[i] - 1);
    }
    for (unsigned i = 1; i < processors(); i++) CHECK(used >> i & 1);
    stop = 1;
    for (unsigned i = 1; i < processors(); i++) process_wait(number[i]);
    stop = 0;
}

// A process that wakes finds an idle processor although the one that ran it last is busy.
static volatile unsigned word, woken_at;
static void sleeper(void* unused) {
    (void)unused;
    process_sleep(&word, 0);
    woken_at = clock_us();
}
static void compute_here(void* unused) {
    (void)unused;
    while (!stop) {
    }
}
static void waking(void) {
    if (processors() < 3) return;
    int asleep = process_spawn(sleeper, NULL, ANY_PROCESSOR);
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 1500) {
    }
    int busy[2] = {process_spawn(compute_here, NULL, 1), process_spawn(compute_here, NULL, 1)};
    while (clock_us() - begin < 3000) {
    }
    const uint32_t at = clock_us();
    word = 1;
    CHECK_EQUAL(process_wake(&word, 1), 1);
    CHECK_EQUAL(process_wait(asleep), 0);
    CHECK(woken_at - at < 1000);  // not the quantum of a busy one
    stop = 1;
    process_wait(busy[0]);
    process_wait(busy[1]);
}

int main(void) {
    binding();
    stealing();
    waking();
    return 0;
}
