// SPDX-License-Identifier: MIT

// Sleep and wake-up on a condition, as A. Birrell, "An Introduction to Programming with Threads",
// DEC SRC 35, 1989, has them: who waits announces itself before it releases the lock under which it
// has tested the condition. Processor 0 makes one item for each of the others.

#include "each.h"
#include "lock.h"

static struct lock lock = LOCK_INIT;
static struct word items, sleeping;
static struct word awake;  // wake-ups given, one for each sleeper
CHECKED_GUARDED(lock, items);
CHECKED_GUARDED(lock, sleeping);

static void wait_for_turn(unsigned turn) {
    while ((int)(awake.word - turn) <= 0) {
    }
}

static void consume(void) {
    static struct word sleepers;  // numbers of sleepers, under the lock
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    while (items.word == 0) {
        const unsigned turn = sleepers.word;
        sleepers.word = turn + 1;
        sleeping.word = sleeping.word + 1;
        lock_release(&lock, &slot);
        wait_for_turn(turn);
        lock_acquire(&lock, &slot);
    }
    if (items.word == 0) panic("there is no item");
    items.word = items.word - 1;
    lock_release(&lock, &slot);
}

static void produce(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    items.word = items.word + 1;
    if (sleeping.word != 0) {
        sleeping.word = sleeping.word - 1;
        awake.word = awake.word + 1;
    }
    lock_release(&lock, &slot);
}

static void each(unsigned cpu) {
    if (cpu != 0) {
        consume();
        return;
    }
    for (unsigned i = 1; i < processors(); i++) produce();
}

static bool check(void) {
    return items.word == 0;
}
