// SPDX-License-Identifier: MIT

// A counting semaphore with busy waiting, on a lock: E. Dijkstra, "Cooperating Sequential
// Processes", 1965. One unit; the two words inside must not be used by two at once.

#include "each.h"
#include "lock.h"

#define TURNS 2

static struct lock lock = LOCK_INIT;
static struct word units = {1};
static struct word inside, done;
CHECKED_GUARDED(lock, done);

static bool try_to_take(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    const unsigned left = units.word;
    if (left != 0) units.word = left - 1;
    lock_release(&lock, &slot);
    return left != 0;
}

static void give(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    units.word = units.word + 1;
    done.word = done.word + 1;
    lock_release(&lock, &slot);
}

static void each(unsigned cpu) {
    for (unsigned i = 0; i < TURNS; i++) {
        do {
            while (units.word == 0) {
            }
        } while (!try_to_take());
        inside.word = cpu + 1;
        if (inside.word != cpu + 1) panic("two have the unit");
        inside.word = 0;
        give();
    }
}

static bool check(void) {
    return units.word == 1 && done.word == TURNS * processors();
}
