// SPDX-License-Identifier: MIT

// An interpreter: each processor runs a program of random operations (routines.h) on its own words,
// forwards and then backwards. It has 50 KB of code, which fits the cache together with its data;
// branches and jumps depend on the data.
//
// Arguments   operations  number in the program; default 1024
//             rounds      each forwards and backwards; default 20
// Results     elapsed_us, operations (of all processors)
// Checks      each round changes the words, and ends with those it began with

#include "cpu.h"
#include "routines.h"
#include "stdlib.h"

static uint8_t* program;
static unsigned operations, rounds;
static unsigned wrong_rounds[MAX_PROCESSORS];

static void run(unsigned cpu, void* unused) {
    (void)unused;
    const uint8_t* end = program + operations;
    for (unsigned round = 0; round < rounds; round++) {
        struct state begin = {random_next(), random_next()}, state = begin;
        interpret(program, end, 1, &state);
        if (same_state(state, begin)) wrong_rounds[cpu]++;
        interpret_backwards(program, end, &state);
        if (!same_state(state, begin)) wrong_rounds[cpu]++;
    }
}

int main(void) {
    operations = arg_unsigned("operations", 1024);
    rounds = arg_unsigned("rounds", 20);
    if (operations == 0 || rounds == 0) panic("operations and rounds must be at least 1");
    program = malloc(operations);
    if (program == NULL) panic("no memory for %u operations", operations);
    setup_program(program, operations);
    uint32_t start_us = clock_us();
    run_on_all(run, NULL);
    report("elapsed_us", clock_us() - start_us);
    report("operations", (uint64_t)processors() * operations * 2 * rounds);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        if (wrong_rounds[cpu] != 0) {
            printf("processor %u: %u rounds went wrong\n", cpu, wrong_rounds[cpu]);
            return 1;
        }
    return 0;
}
