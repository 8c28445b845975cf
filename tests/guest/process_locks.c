// SPDX-License-Identifier: MIT

// Locks of programs of processes: mutual exclusion, and no process waits for ever, while processes
// are preempted all the time, with 1, 1.5, 2 and 4 processes a processor. Reported: the largest
// number of others' acquisitions between a process's attempt and its acquisition.
// Arguments: turns of each worker; rounds, of those below.

#include "lock.h"
#include "process.h"
#include "test.h"

#ifndef WORKER_PROCESSORS
#define WORKER_PROCESSORS processors()
#define ROUNDS                        \
    {100, 0}, {150, 0}, {100, 100}, { \
        300, 100                      \
    }
#endif

// Processes for each 100 processors.
static const struct round { unsigned workers, background; } rounds[] = {ROUNDS};

static struct lock lock = LOCK_INIT;
static struct lock_slot slots[MAX_PROCESSES];
static volatile unsigned count, inside, workers_left, most_overtaken, begun;
static unsigned turns;

static void delay(unsigned most) {
    for (volatile unsigned n = random_below(most); n > 0; n--) {
    }
}

static void section(unsigned count_at_attempt) {
    CHECK_EQUAL(inside, 0);
    inside = 1;
    unsigned before = count;
    if (before - count_at_attempt > most_overtaken) most_overtaken = before - count_at_attempt;
    delay(20);
    count = before + 1;
    inside = 0;
}

static void work(void* unused) {
    (void)unused;
    struct lock_slot* slot = &slots[process_self()];
    while (!begun) process_sleep(&begun, 0);
    for (unsigned i = 0; i < turns; i++) {
        unsigned count_at_attempt = count;
        lock_acquire(&lock, slot);
        section(count_at_attempt);
        lock_release(&lock, slot);
        delay(100);
    }
}

static void compute(void* unused) {
    (void)unused;
    while (!begun) process_sleep(&begun, 0);
    while (workers_left != 0) {
    }
}

static unsigned number_of(unsigned for_100) {
    return (for_100 * WORKER_PROCESSORS + 50) / 100;
}

static void run_round(const struct round* round) {
    static int number[MAX_PROCESSES];
    const unsigned workers = number_of(round->workers);
    const unsigned all = workers + number_of(round->background);
    count = most_overtaken = begun = 0;
    workers_left = workers;
    for (unsigned i = 0; i < all; i++) {
        number[i] = process_spawn(i < workers ? work : compute, NULL, (int)(i % WORKER_PROCESSORS));
        CHECK(number[i] > 0);
    }
    begun = 1;
    process_wake(&begun, all);
    for (unsigned i = 0; i < workers; i++) {
        CHECK_EQUAL(process_wait(number[i]), 0);
        workers_left = workers - i - 1;
    }
    for (unsigned i = workers; i < all; i++) process_wait(number[i]);
    CHECK_EQUAL(count, workers * turns);
    char name[40];
    snprintf(name, sizeof name, "overtaken_%u_%u", round->workers, round->background);
    report(name, most_overtaken);
}

int main(void) {
    turns = arg_unsigned("turns", 20);
    const unsigned number = arg_unsigned("rounds", sizeof rounds / sizeof rounds[0]);
    for (unsigned i = 0; i < number; i++) run_round(&rounds[i]);
    return 0;
}
