// SPDX-License-Identifier: MIT

// Park and unpark, the blocking primitive of Java's locks. park() has a fast path that consumes a
// permit without the lock; it must be visible before the caller looks at its condition again. The
// HotSpot virtual machine lacked this fence (D. Dice, "A Race in LockSupport park() Arising from
// Weak Memory Models", 2009). Processor 0 sets the condition in two steps, processor 1 waits.

#include "each.h"
#include "lock.h"

static struct lock lock = LOCK_INIT;
static struct word permit, condition, passed;

static void park(void) {
    if (permit.word) {
        exchange_word(&permit.word, 0);  // before the caller's next load: ordering.h rule 4
        return;
    }
    while (!permit.word) {  // in Java: sleeps
    }
    exchange_word(&permit.word, 0);
}

static void unpark(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    permit.word = 1;
    lock_release(&lock, &slot);
}

static void each(unsigned cpu) {
    if (cpu == 0) {
        unpark();  // of an earlier wait, as Java allows
        condition.word = 1;
        unpark();
    } else if (cpu == 1) {
        while (!condition.word) park();
        passed.word = 1;
    }
}

static bool check(void) {
    return passed.word == 1;
}
