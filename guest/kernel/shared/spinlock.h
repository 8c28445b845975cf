// SPDX-License-Identifier: MIT
#pragma once

// The kernel's lock: test-and-test-and-set. It is taken with interrupts off and for a few
// instructions, so its holder always runs.

#include "ordering.h"

struct spinlock {
    LINE_ALIGNED volatile unsigned char taken;
};

static inline void spinlock_acquire(struct spinlock* lock) {
    while (exchange_byte(&lock->taken, 1) != 0)
        while (lock->taken) {
        }
    compiler_barrier();
}

static inline void spinlock_release(struct spinlock* lock) {
    compiler_barrier();
    lock->taken = 0;  // ordering.h rule 2
}
