// SPDX-License-Identifier: MIT

// One litmus test of tests.h, once: tests/litmus/schedules_test.cpp runs it under every schedule.
// Thread n is on processor n; x and y are on two lines. Argument: test, its name. Prints the
// outcome.
//
// Each thread first plays with other words. So all its code is in the cache, and no fetch waits for
// the bus behind a store that the schedule holds. Then it loads x and y, and region 1 begins.

#include "threads.h"

static const struct test {
    const char* name;
    unsigned threads;
    thread* thread[LITMUS_THREADS][2];  // tight, spaced
} tests[] = {LITMUS_TESTS(ROW)};

static struct { LINE_ALIGNED volatile unsigned word; } x, y, other[LITMUS_THREADS][2];
static struct { LINE_ALIGNED unsigned registers[LITMUS_REGISTERS]; } results[LITMUS_THREADS];
static const struct test* test;

static void play(unsigned cpu, void* unused) {
    (void)unused;
    if (cpu >= test->threads) return;
    thread* const tight = test->thread[cpu][0];
    unsigned* const registers = results[cpu].registers;
    tight(&other[cpu][0].word, &other[cpu][1].word, registers, 1, 0);
    (void)x.word;
    (void)y.word;
    // The stores of the barrier and of the call have left the write buffer after this wait.
    tight(&x.word, &y.word, registers, 100, 1);
}

int main(void) {
    const char* const name = arg_string("test", "");
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (strcmp(tests[i].name, name) == 0) test = &tests[i];
    if (!test) panic("there is no test %s", name);
    if (test->threads > processors()) panic("%s needs %u processors", name, test->threads);
    run_on_all(play, NULL);
    for (unsigned thread = 0; thread < LITMUS_THREADS; thread++)
        printf("%u%u", results[thread].registers[0], results[thread].registers[1]);
    printf("%u%u\n", x.word, y.word);
    return 0;
}
