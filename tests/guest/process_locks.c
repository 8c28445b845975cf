// SPDX-License-Identifier: MIT

// Locks of programs of processes: mutual exclusion, and no process waits for ever, while processes
// are preempted every few hundred microseconds. Arguments: workers and background processes for
// each processor (default 2 and 1), turns of each worker.

#include "lock.h"
#include "process.h"
#include "test.h"

#ifndef WORKER_PROCESSORS
#define WORKER_PROCESSORS processors()
#define WORKERS_EACH 2
#else
#define WORKERS_EACH 1
#endif

static struct lock lock = LOCK_INIT;
static struct lock_slot slots[MAX_PROCESSES];
static volatile unsigned count, inside, workers_left;
static unsigned turns;

static void work(void* unused) {
    (void)unused;
    struct lock_slot* slot = &slots[process_self()];
    for (unsigned i = 0; i < turns; i++) {
        lock_acquire(&lock, slot);
        CHECK_EQUAL(inside, 0);
        inside = 1;
        unsigned before = count;
        for (volatile unsigned n = random_below(20); n > 0; n--) {
        }
        count = before + 1;
        inside = 0;
        lock_release(&lock, slot);
        for (volatile unsigned n = random_below(100); n > 0; n--) {
        }
    }
}

static void compute(void* unused) {
    (void)unused;
    while (workers_left != 0) {
    }
}

int main(void) {
    const unsigned workers = arg_unsigned("workers", WORKERS_EACH) * WORKER_PROCESSORS;
    const unsigned background = arg_unsigned("background", 1) * WORKER_PROCESSORS;
    turns = arg_unsigned("turns", 100);
    CHECK(workers + background < MAX_PROCESSES);
    static int number[MAX_PROCESSES];
    workers_left = workers;
    for (unsigned i = 0; i < workers + background; i++)
        number[i] = process_spawn(i < workers ? work : compute, NULL, (int)(i % WORKER_PROCESSORS));
    for (unsigned i = 0; i < workers; i++) {
        CHECK_EQUAL(process_wait(number[i]), 0);
        workers_left = workers - i - 1;
    }
    for (unsigned i = workers; i < workers + background; i++) process_wait(number[i]);
    CHECK_EQUAL(count, workers * turns);
    report("turns", count);
    return 0;
}
