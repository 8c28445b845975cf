// SPDX-License-Identifier: MIT
#pragma once

// What a null thread does besides, in an image built with WORK or EXTRA_LOCK; nothing in any other.
//
// WORK: computes, ALL Figure 3.3. In registers, so that it disturbs nobody; how long is drawn with
// numbers that each processor keeps for itself.
// EXTRA_LOCK: takes one more lock and gives it back, ALL-13: on one processor nobody else wants it.

#include "workload.h"

#if defined(WORK)

#include "locks/turns.h"

#define PROGRAM "work_threads"
#define CLOCKS_PER_US 16  // of the Model A, configs/machines/symmetry-a.toml
#define DRAW_US 14        // drawing the number, a part of the work; measured on one processor

static unsigned work_turns;  // of delay_turns, at most

static inline void thread_work_setup(void) {
    unsigned work_us = arg_unsigned("work_us", 300);
    if (work_us <= DRAW_US) panic("work_us must be more than %u", DRAW_US);
    work_turns = 2 * (work_us - DRAW_US) * CLOCKS_PER_US / DELAY_TURN_CLOCKS;
}

static inline void thread_work(void) {
    delay_turns(1 + random_below(work_turns));
}

#elif defined(EXTRA_LOCK)

#define PROGRAM "locking_threads"

static struct lock extra_lock = LOCK_INIT;  // free on one processor

static inline void thread_work_setup(void) {}

static inline void thread_work(void) {
    struct lock_slot slot;
    lock_acquire(&extra_lock, &slot);
    lock_release(&extra_lock, &slot);
}

#else

#define PROGRAM "null_threads"

static inline void thread_work_setup(void) {}

static inline void thread_work(void) {}

#endif
