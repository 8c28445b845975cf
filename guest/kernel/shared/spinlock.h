// SPDX-License-Identifier: MIT
#pragma once

// The kernel's lock: test-and-test-and-set. It is taken with interrupts off and for a few
// instructions, so its holder always runs.
//
// A kernel that is built with KERNEL_CHECKS stops with a panic that names the lock if a processor
// takes one that it has, or with interrupts on, releases one that it does not have, or gives a
// processor to another task while it has one. Without it a lock is a byte.

#include "ordering.h"

#ifndef KERNEL_CHECKS
#define KERNEL_CHECKS 0
#endif

struct spinlock {
    LINE_ALIGNED volatile unsigned char taken;
#if KERNEL_CHECKS
    volatile unsigned holder;  // 1 + the processor that has it; 0: nobody
    const char* name;          // as it was acquired last
#endif
};

// Waits until the lock is free, and takes it.
static inline void spinlock_take(struct spinlock* lock) {
    while (exchange_byte(&lock->taken, 1) != 0)
        while (lock->taken) {
        }
    compiler_barrier();
}

static inline void spinlock_give(struct spinlock* lock) {
    compiler_barrier();
    lock->taken = 0;  // ordering.h rule 2
}

#if KERNEL_CHECKS
// spinlock.c; `name` is what the caller calls the lock, `where` the caller
void spinlock_acquire_checked(struct spinlock* lock, const char* name);
void spinlock_release_checked(struct spinlock* lock, const char* name);
void spinlock_check_held(const struct spinlock* lock, const char* where);
void spinlock_check_count(unsigned number, const char* where);
#define spinlock_acquire(lock) spinlock_acquire_checked(lock, #lock)
#define spinlock_release(lock) spinlock_release_checked(lock, #lock)
#else
#define spinlock_acquire(lock) spinlock_take(lock)
#define spinlock_release(lock) spinlock_give(lock)
// A panic unless this processor has the lock; unless it has so many of them.
static inline void spinlock_check_held(const struct spinlock* lock, const char* where) {
    (void)lock, (void)where;
}
static inline void spinlock_check_count(unsigned number, const char* where) {
    (void)number, (void)where;
}
#endif
