// SPDX-License-Identifier: MIT

// Mutual exclusion, built once for every lock of guest/locks. In the critical section ten stores
// count a shared word up, which must then read 10, and ten stores count it down to 0. Two
// processors inside at once would see other values. Argument: turns, sections each, default 50.
//
// For locks with lock_try: it takes a free lock, leaves a held lock alone, and excludes other
// processors as lock_acquire does.

#include "lock.h"
#include "test.h"

#define STEPS 10

static struct lock lock = LOCK_INIT;

static struct {
    LINE_ALIGNED volatile unsigned word;
    volatile unsigned sections;
} shared;

static void section(void) {
    CHECK_EQUAL(shared.word, 0);
    for (unsigned i = 0; i < STEPS; i++) shared.word = shared.word + 1;
    CHECK_EQUAL(shared.word, STEPS);
    for (unsigned i = 0; i < STEPS; i++) shared.word = shared.word - 1;
    CHECK_EQUAL(shared.word, 0);
    shared.sections = shared.sections + 1;
}

static void work_with_lock(unsigned cpu, void* turns) {
    struct lock_slot slot;
    barrier();
    for (unsigned i = 0; i < *(const unsigned*)turns; i++) {
        // Tries first in every third iteration, so that both ways of entering compete.
        bool by_trying = LOCK_HAS_TRY && (i + cpu) % 3 == 0;
        if (!by_trying || !lock_try(&lock, &slot)) lock_acquire(&lock, &slot);
        section();
        lock_release(&lock, &slot);
    }
}

static void try_held(unsigned cpu, void* unused) {
    struct lock_slot slot;
    (void)cpu;
    (void)unused;
    if (LOCK_HAS_TRY) CHECK(!lock_try(&lock, &slot));
}

static void check_try(void) {
    struct lock_slot slot;
    CHECK(lock_try(&lock, &slot));
    for (unsigned i = 1; i < processors(); i++) {
        start_on(i, try_held, NULL);
        wait_for(i);
    }
    lock_release(&lock, &slot);
    CHECK(lock_try(&lock, &slot));
    lock_release(&lock, &slot);
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 50);
    if (LOCK_HAS_TRY) check_try();
    run_on_all(work_with_lock, &turns);
    CHECK_EQUAL(shared.sections, turns * processors());
    report("sections", shared.sections);
    return 0;
}
