// SPDX-License-Identifier: MIT
#pragma once

// What a null thread does besides, in an image built with WORK or EXTRA_LOCK; nothing in any other.
//
// WORK: computes, ALL Figure 3.3. In registers, so that it disturbs nobody; how long is drawn with
// numbers that each processor keeps for itself.
// WORK_STORES, with WORK: stores now and then meanwhile, to a line of the processor's own. Each store
// goes over the bus: this is how much of the bus a program takes, ALL Figures 5.2 to 5.4.
// EXTRA_LOCK: takes one more lock and gives it back, ALL-13: on one processor nobody else wants it.

#include "workload.h"

#if defined(WORK)

#include "locks/turns.h"

#define CLOCKS_PER_US 16  // of the Model A, configs/machines/symmetry-a.toml
#define DRAW_US 14        // drawing the number, a part of the work; measured on one processor

static unsigned work_turns;  // of delay_turns, at most

#ifdef WORK_STORES

#define PROGRAM "loaded_threads"

static struct { LINE_ALIGNED volatile unsigned word; } stored[MAX_PROCESSORS];
static unsigned store_turns;  // of delay_turns, between two stores

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
