// SPDX-License-Identifier: MIT

// compare_and_swap and fetch_and_store are one step for all who use them, wherever a process is
// preempted, and nobody waits long for a process that was interrupted in one.

#include "process.h"
#include "test.h"

#define WORKERS_MOST 48

static struct { LINE_ALIGNED volatile unsigned count; } shared;
static volatile unsigned box = 1;  // 1, or taken: 0
static volatile unsigned inside, longest;
static unsigned turns;

static void add(void) {
    for (;;) {
        unsigned before = shared.count;
        const uint32_t begin = clock_us();
        const bool done = compare_and_swap(&shared.count, before, before + 1);
        const uint32_t us = clock_us() - begin;
        if (us > longest) longest = us;
        if (done) return;
    }
}

static void work(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < turns; i++) {
        add();
        if (fetch_and_store(&box, 0) == 1) {
            CHECK_EQUAL(inside, 0);
            inside = 1;
            for (volatile unsigned n = random_below(10); n > 0; n--) {
            }
            inside = 0;
            CHECK_EQUAL(fetch_and_store(&box, 1), 0);
        }
    }
}

int main(void) {
    turns = 800 / processors();
    unsigned workers = 3 * processors();
    if (workers > WORKERS_MOST) workers = WORKERS_MOST;
    int number[WORKERS_MOST];
    for (unsigned i = 0; i < workers; i++)
        number[i] = process_spawn(work, NULL, (int)(i % processors()));
    for (unsigned i = 0; i < workers; i++) CHECK_EQUAL(process_wait(number[i]), 0);
    CHECK_EQUAL(shared.count, workers * turns);
    CHECK_EQUAL(box, 1);
    report("longest_us", longest);
    return 0;
}
