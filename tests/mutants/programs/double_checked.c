// SPDX-License-Identifier: MIT

// Lazy initialisation with double-checked locking: D. Schmidt and T. Harrison, "Double-Checked
// Locking", Pattern Languages of Program Design 3, 1997. Here the order of stores is the program's:
// the value, then the flag (ordering.h rule 2).

#include "each.h"
#include "lock.h"

static struct lock lock = LOCK_INIT;
static struct word ready, value, made;
static struct { LINE_ALIGNED unsigned seen; } seen[MAX_PROCESSORS];

static void initialise(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    if (!ready.word) {
        made.word = made.word + 1;
        value.word = 42;
        ready.word = 1;
    }
    lock_release(&lock, &slot);
}

static void each(unsigned cpu) {
    if (!ready.word) initialise();
    seen[cpu].seen = value.word;
}

static bool check(void) {
    for (unsigned i = 0; i < processors(); i++)
        if (seen[i].seen != 42) return false;
    return made.word == 1;
}
