// SPDX-License-Identifier: MIT

// No wake is lost between a processor that becomes idle and one that makes a process ready: pairs
// of processes wake each other in turn after random delays, then one wakes another after delays
// that sweep the kernel's path to idleness. A lost wake leaves the processor asleep.

#include "process.h"
#include "test.h"

struct pair {
    LINE_ALIGNED volatile unsigned turn;
};
static struct pair pairs[MAX_PROCESSORS];

static void delay(unsigned times) {
    for (volatile unsigned n = times; n > 0; n--) {
    }
}

static void ping(void* argument) {
    const unsigned pair = (unsigned)argument / 2, own = (unsigned)argument % 2;
    volatile unsigned* turn = &pairs[pair].turn;
    const unsigned turns = arg_unsigned("turns", 200);
    for (unsigned i = 0; i < turns; i++) {
        for (unsigned now = *turn; now % 2 != own; now = *turn) process_sleep(turn, now);
        delay(random_below(30));
        (*turn)++;
        process_wake(turn, 1);
        delay(random_below(30));
    }
}

// Processor 1 sleeps, since it has no other process; processor 0 wakes it.
static struct pair goes, sleeps, wakes;
#define SWEEP 1600

static void sleep_often(void* unused) {
    (void)unused;
    for (unsigned i = 1; i <= SWEEP; i++) {
        while (goes.turn != i) {
        }
        sleeps.turn = i;
        while (wakes.turn != i) process_sleep(&wakes.turn, i - 1);
    }
}

static void sweep(void) {
    int sleeper = process_spawn(sleep_often, NULL, 1);
    for (unsigned i = 1; i <= SWEEP; i++) {
        goes.turn = i;
        while (sleeps.turn != i) {
        }
        for (unsigned n = i / 4; n > 0; n--) __asm__ volatile("");
        for (unsigned n = i % 4; n > 0; n--) __asm__ volatile("nop");
        wakes.turn = i;
        process_wake(&wakes.turn, 1);
    }
    CHECK_EQUAL(process_wait(sleeper), 0);
}

int main(void) {
    unsigned number = processors() < 2 ? 1 : processors() / 2;
    int process[2 * MAX_PROCESSORS];
    for (unsigned i = 0; i < 2 * number; i++)
        process[i] = process_spawn(ping, (void*)i,
                                   random_below(2) ? (int)(i % processors()) : ANY_PROCESSOR);
    for (unsigned i = 0; i < 2 * number; i++) CHECK_EQUAL(process_wait(process[i]), 0);
    if (processors() > 1) sweep();
    return 0;
}
