// SPDX-License-Identifier: MIT

// Every processor starts once, with its own number and its own stack, and executes each function
// once; barriers work. Argument: turns, number of repetitions, default 5.

#include "cpu.h"
#include "test.h"

static struct {
    LINE_ALIGNED volatile unsigned calls;
    volatile uintptr_t stack;
    volatile unsigned phase;
} seen[MAX_PROCESSORS];

static void note(unsigned cpu, void* argument) {
    char here;
    CHECK_EQUAL(cpu, processor());
    CHECK_EQUAL(cpu, read_register(BOARD_PROCESSOR));
    CHECK(argument == &seen);
    seen[cpu].calls++;
    seen[cpu].stack = (uintptr_t)&here;
}

static void check_stacks(void) {
    for (unsigned i = 0; i < processors(); i++) {
        uintptr_t base = (uintptr_t)cpu_of(i);
        CHECK_EQUAL(base % STACK_BYTES, 0);
        CHECK(seen[i].stack > base + sizeof(struct cpu) && seen[i].stack < base + STACK_BYTES);
    }
}

// Each processor reaches the barrier at a different time; after it all are in the same phase.
static void meet(unsigned cpu, void* turns) {
    for (unsigned turn = 1; turn <= *(const unsigned*)turns; turn++) {
        for (volatile unsigned i = 0; i < (cpu * 7 + turn * 5) % 40; i++) {
        }
        seen[cpu].phase = turn;
        barrier();
        for (unsigned i = 0; i < processors(); i++) CHECK_EQUAL(seen[i].phase, turn);
        barrier();
    }
}

static void only_one(unsigned cpu, void* argument) {
    *(volatile unsigned*)argument = cpu + 100;
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 5);
    CHECK_EQUAL(processor(), 0);
    CHECK_EQUAL(processors(), arg_unsigned("processors", 0));
    for (unsigned turn = 1; turn <= turns; turn++) {
        run_on_all(note, &seen);
        for (unsigned i = 0; i < MAX_PROCESSORS; i++)
            CHECK_EQUAL(seen[i].calls, i < processors() ? turn : 0);
    }
    check_stacks();
    run_on_all(meet, &turns);

    for (unsigned i = 1; i < processors(); i++) {
        unsigned answer = 0;
        start_on(i, only_one, &answer);
        wait_for(i);
        CHECK_EQUAL(answer, i + 100);
    }
    return 0;
}
