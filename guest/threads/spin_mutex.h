// SPDX-License-Identifier: MIT
#pragma once

// A mutex that spins before it blocks, if it is usually held for less time than a switch costs
// (Steckermeier & Bellosa 1995, sections 6.1.3 and 7.1.2). For every strategy. A program includes
// this file beside threads.h; the mutex of threads.h always blocks at once.
//
// Each owner measures how long it has held the mutex, from the moment when it runs. (With the time
// that a waiter needs to come back, one wait would make the mutex look long, and all waits block
// from then on.) The mean ages: it moves by an eighth of the difference to each new time, as
// Jacobson (1988) does with round trips. A thread that finds the mutex held and the mean below
// SPIN_MOST_US spins for at most that time on `held`, in its own cache, then it tries once more and
// blocks. If the mean is longer it blocks at once.
//
// unlock() hands the mutex to the first blocked waiter, if there is one. A spinning thread gets it
// only if there is none: nobody who has blocked is overtaken.

#include "threads/lists.h"

// Both sides of a switch, blocking and resuming, cost about as much as a thread's life: 43 to 64 us
// on Model A (docs/reference/threads.md).
#ifndef SPIN_MOST_US
#define SPIN_MOST_US 50
#endif

#define SPIN_MUTEX_FRACTION 3  // bits: the mean is in 2^-3 us, and ages by 2^-3

struct thread_spin_mutex {
    struct lock lock;
    volatile bool held;
    struct thread_queue waiters;
    uint32_t since_us;  // when the owner got it
    uint32_t mean;      // time for which it is held
};
#define THREAD_SPIN_MUTEX_INIT \
    { LOCK_INIT, false, THREAD_QUEUE_INIT, 0, 0 }

ALWAYS_INLINE uint32_t spin_mutex_clock_us(void) {
    return read_register(BOARD_CLOCK_US);
}

// With the lock held, which it releases if it returns true.
ALWAYS_INLINE bool spin_mutex_take(struct thread_spin_mutex* mutex) {
    if (mutex->held) return false;
    mutex->held = true;
    mutex->since_us = spin_mutex_clock_us();
    lock_release(&mutex->lock, thread_lock_slot());
    return true;
}

ALWAYS_INLINE void spin_mutex_age(struct thread_spin_mutex* mutex, uint32_t held_us) {
    const int32_t step = (int32_t)((held_us << SPIN_MUTEX_FRACTION) - mutex->mean);
    mutex->mean += (uint32_t)(step >> SPIN_MUTEX_FRACTION);
}

static SPIN_FUNCTION void spin_while_held(const struct thread_spin_mutex* mutex) {
    const uint32_t start_us = spin_mutex_clock_us();
    while (mutex->held && spin_mutex_clock_us() - start_us < SPIN_MOST_US) {
    }
}

static THREADS_FUNCTION void thread_spin_mutex_lock(struct thread_spin_mutex* mutex) {
    lock_acquire(&mutex->lock, thread_lock_slot());
    if (spin_mutex_take(mutex)) return;
    if (mutex->mean < SPIN_MOST_US << SPIN_MUTEX_FRACTION) {
        lock_release(&mutex->lock, thread_lock_slot());
        spin_while_held(mutex);
        lock_acquire(&mutex->lock, thread_lock_slot());
        if (spin_mutex_take(mutex)) return;
    }
    queue_put(&mutex->waiters, thread_self());
    thread_block(&mutex->lock);
    mutex->since_us = spin_mutex_clock_us();
}

static THREADS_FUNCTION void thread_spin_mutex_unlock(struct thread_spin_mutex* mutex) {
    lock_acquire(&mutex->lock, thread_lock_slot());
    spin_mutex_age(mutex, spin_mutex_clock_us() - mutex->since_us);
    struct thread* heir = queue_take(&mutex->waiters);
    if (heir == NULL) mutex->held = false;
    lock_release(&mutex->lock, thread_lock_slot());
    if (heir != NULL) thread_signal(heir);
}
