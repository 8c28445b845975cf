// SPDX-License-Identifier: MIT

// One process is preempted at a given instruction of a lock's acquire and release: the config key
// preempt.instructions counts from region PATH. process_runs.py sweeps over the whole path. Then
// all continue, and everybody has all his turns. Arguments: others, on as many processors, that want
// the lock too (default 2).
//
// The process runs on processor 1 with a rival that wants the lock as soon as it runs.

#include "lock.h"
#include "process.h"
#include "test.h"

#define PATH 1  // region: the process's turn number PATH_TURN
#define PATH_TURN 2
#define TURNS 5  // of the process and of its rival
#define SECTION_TURNS 10

static struct lock lock = LOCK_INIT;
static struct lock_slot slots[MAX_PROCESSES];
static volatile unsigned count, inside, path_end_us;
static volatile bool path_ended;

static void section(void) {
    CHECK_EQUAL(inside, 0);
    inside = 1;
    unsigned before = count;
    for (volatile unsigned n = SECTION_TURNS; n > 0; n--) {
    }
    count = before + 1;
    inside = 0;
}

static void turn(void) {
    struct lock_slot* slot = &slots[process_self()];
    lock_acquire(&lock, slot);
    section();
    lock_release(&lock, slot);
}

static void path(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < PATH_TURN; i++) turn();
    PROBE(PROBE_REGION_BEGIN, PATH);
    turn();
    PROBE(PROBE_REGION_END, PATH);
    path_end_us = clock_us();
    path_ended = true;
    for (unsigned i = PATH_TURN + 1; i < TURNS; i++) turn();
}

static void rival(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < TURNS; i++) turn();
}

// Wants the lock for as long as the path lasts.
static void other(void* counted) {
    unsigned turns = 0;
    do {
        turn();
        turns++;
        for (volatile unsigned n = random_below(30); n > 0; n--) {
        }
    } while (!path_ended || turns < TURNS);
    *(volatile unsigned*)counted = turns;
}

int main(void) {
    static unsigned counts[MAX_PROCESSORS];
    static int number[MAX_PROCESSORS + 2];
    const unsigned others = arg_unsigned("others", 2);
    CHECK(others + 2 <= processors());
    for (unsigned i = 0; i < others; i++)
        number[i] = process_spawn(other, &counts[i], (int)(2 + i));
    number[others] = process_spawn(path, NULL, 1);
    number[others + 1] = process_spawn(rival, NULL, 1);
    unsigned expected = 2 * TURNS;
    for (unsigned i = 0; i < others + 2; i++) CHECK_EQUAL(process_wait(number[i]), 0);
    for (unsigned i = 0; i < others; i++) expected += counts[i];
    CHECK_EQUAL(count, expected);
    report("path_end_us", path_end_us);
    return 0;
}
