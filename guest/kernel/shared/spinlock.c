// SPDX-License-Identifier: MIT

// What a kernel with KERNEL_CHECKS asks of its locks.

#include "spinlock.h"

#if KERNEL_CHECKS

#include <stdbool.h>

#include "cpu.h"
#include "interrupts.h"
#include "symsim.h"

static struct held { LINE_ALIGNED volatile unsigned count; } held[MAX_PROCESSORS];

// A check has failed: the report goes out without locks, one of which this processor may have.
static volatile bool failed;

static unsigned here(void) {
    return read_register(BOARD_PROCESSOR);
}

// Only its holder writes `holder`, so a processor finds its own number there only if it has the
// lock.
static bool is_held(const struct spinlock* lock) {
    return lock->holder == here() + 1;
}

void spinlock_acquire_checked(struct spinlock* lock, const char* name) {
    if (failed) return;
    const char* why = NULL;
    if (is_held(lock)) why = "this processor has it already";
    if (read_flags() & FLAG_INTERRUPT) why = "interrupts are on";
    if (why != NULL) {
        failed = true;
        panic("spinlock_acquire(%s): %s", name, why);
    }
    spinlock_take(lock);
    lock->holder = here() + 1;
    lock->name = name;
    held[here()].count++;
}

void spinlock_release_checked(struct spinlock* lock, const char* name) {
    if (failed) return;
    if (!is_held(lock)) {
        failed = true;
        panic("spinlock_release(%s): this processor does not have it", name);
    }
    held[here()].count--;
    lock->holder = 0;
    spinlock_give(lock);
}

void spinlock_check_held(const struct spinlock* lock, const char* where) {
    if (failed || is_held(lock)) return;
    failed = true;
    panic("%s: this processor does not have %s", where,
          lock->name != NULL ? lock->name : "the lock");
}

void spinlock_check_count(unsigned number, const char* where) {
    if (failed || held[here()].count == number) return;
    failed = true;
    panic("%s: this processor holds locks: %u, expected: %u", where, held[here()].count, number);
}

#endif
