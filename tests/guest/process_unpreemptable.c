// SPDX-License-Identifier: MIT

// Who is unpreemptable is not preempted before the kernel's extension is over, however he has
// become so: by his own store, at any time, or by another process's compare_and_swap.
// Arguments: turns of each of the two.

#include "process.h"
#include "test.h"

#define SECTION_TURNS 100
#define MOST_US 900  // an extension and the section; who is preempted is away for 950 us at least

static volatile unsigned late, waits, given, ended;

static void check(uint32_t begin_us) {
    if (clock_us() - begin_us > MOST_US) late++;
}

static void let_others_run(void) {
    process_block()->state = PREEMPTABLE;
    if (process_block()->warning) process_yield();
}

// Is unpreemptable by itself, for a section.
static void keeps(unsigned turns) {
    for (unsigned i = 0; i < turns; i++) {
        process_block()->state = UNPREEMPTABLE_SELF;
        uint32_t begin_us = clock_us();
        for (volatile unsigned n = SECTION_TURNS; n > 0; n--) {
        }
        check(begin_us);
        let_others_run();
    }
}

// Is made unpreemptable by the giver, as the successor in a queue is before it gets the lock.
static void takes(void* unused) {
    (void)unused;
    while (!ended) {
        waits = 1;
        while (!given && !ended) {
        }
        given = 0;
        let_others_run();
    }
}

// Unpreemptable itself, so that it sees at once when the other has taken. Who has been warned has
// no second extension in its quantum.
static void gives(struct context_block* other, unsigned turns) {
    for (unsigned i = 0; i < turns; i++) {
        process_block()->state = UNPREEMPTABLE_SELF;
        if (waits && !other->warning &&
            compare_and_swap(&other->state, PREEMPTABLE, UNPREEMPTABLE_OTHER)) {
            uint32_t begin_us = clock_us();
            waits = 0;
            given = 1;
            while (given) {
            }
            check(begin_us);
        }
        let_others_run();
    }
}

static volatile unsigned taker, turns;

static void keeps_and_gives(void* unused) {
    (void)unused;
    keeps(turns);
    gives(&context_blocks[taker], turns);
}

static void compute(void* unused) {
    (void)unused;
    while (!ended) {
    }
}

int main(void) {
    turns = arg_unsigned("turns", 100);
    taker = (unsigned)process_spawn(takes, NULL, 0);
    int giver = process_spawn(keeps_and_gives, NULL, 1);
    for (int i = 0; i < 2; i++) process_spawn(compute, NULL, i);
    process_wait(giver);
    ended = 1;
    process_wait((int)taker);
    CHECK_EQUAL(late, 0);
    return 0;
}
