// SPDX-License-Identifier: MIT
#pragma once

// Work of a null thread in an image built with WORK or EXTRA_LOCK. Other images have none.
//
// WORK: computes, ALL Figure 3.3. The loop uses registers only, so it does not disturb others. Its
// length is random, from a generator per processor.
// WORK_STORES, with WORK: stores at intervals to a line of the processor's own. Each store is a bus
// write, so it sets the bus use of a program, ALL Figures 5.2 to 5.4.
// EXTRA_LOCK: acquires and releases one more lock, free on one processor (claim ALL-13).

#include "workload.h"

#if defined(WORK)

#include "locks/turns.h"

#define CLOCKS_PER_US 16  // of Model A, configs/machines/symmetry-a.toml
#define DRAW_US 14        // time to draw the length, part of the work; measured on one processor

static unsigned work_turns;  // upper limit of the work, in iterations of delay_turns

#ifdef WORK_STORES

#define PROGRAM "loaded_threads"

static struct { LINE_ALIGNED volatile unsigned word; } stored[MAX_PROCESSORS];
static unsigned store_turns;  // iterations of delay_turns between two stores

static inline void store_setup(void) {
    store_turns = arg_unsigned("store_turns", 0);
    if (store_turns == 0) store_turns = UINT32_MAX;  // never
}

static inline void work_for(unsigned turns) {
    volatile unsigned* word = &stored[read_register(BOARD_PROCESSOR)].word;
    for (; turns > store_turns; turns -= store_turns) {
        delay_turns(store_turns);
        *word = turns;
    }
    delay_turns(turns);
}

#else

#define PROGRAM "work_threads"

static inline void store_setup(void) {}

static inline void work_for(unsigned turns) {
    delay_turns(turns);
}

#endif

static inline void thread_work_setup(void) {
    store_setup();
    unsigned work_us = arg_unsigned("work_us", 300);
    if (work_us <= DRAW_US) panic("work_us must be more than %u", DRAW_US);
    work_turns = 2 * (work_us - DRAW_US) * CLOCKS_PER_US / DELAY_TURN_CLOCKS;
}

static inline void thread_work(void) {
    work_for(1 + random_below(work_turns));
}

#elif defined(EXTRA_LOCK)

#define PROGRAM "locking_threads"

static struct lock extra_lock = LOCK_INIT;  // always free on one processor

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
