// SPDX-License-Identifier: MIT
#pragma once

// Part of the locks that spin for a limited time and then block: A. Karlin, K. Li, M. Manasse, S.
// Owicki, "Empirical Studies of Competitive Spinning for a Shared-Memory Multiprocessor", SOSP
// 1991. For programs of processes (process.h).
//
//   word   FREE ── compare_and_swap: acquired ──▶ HELD ── exchanged: released ──▶ FREE
//          HELD ── exchanged by a waiter before it sleeps ──▶ SLEEPERS ── released ──▶ FREE,
//          and the releaser wakes one of those who sleep on the word
//
// Why no sleeper is forgotten: a waiter sleeps only while the word is SLEEPERS, which the kernel
// checks. Whoever changes SLEEPERS to FREE wakes one. A process that has slept, or meant to, takes
// the lock by writing SLEEPERS, for those who may still sleep. So the last of them wakes nobody.
//
// All changes of the word are by compare_and_swap and fetch_and_store, which may be in software.

#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"
#define LOCK_RELEASE exchange

#include <stdbool.h>

#include "cpu.h"
#include "ordering.h"
#include "probes.h"
#include "process.h"
#include "sections.h"

// Twice the cost of a context switch: a process_yield that switches to another process takes 250 us
// on a Symmetry Model A. Who spins for as long as blocking costs, and then blocks, pays at most
// twice what the better of the two would have cost.
#define TWO_SWITCHES_US 500

enum block_state { FREE, HELD, SLEEPERS };

struct lock {
    LINE_ALIGNED volatile unsigned word;  // an enum block_state
    volatile uint32_t saved_us;           // spin-then-block-adaptive.h; written by the holder
};

// clang-format off
#define LOCK_INIT {0}
// clang-format on

struct lock_slot {};

// How long to spin.
static inline uint32_t block_limit_us(struct lock* lock);
// The holder has waited for so long.
static inline void block_waited(struct lock* lock, uint32_t waited_us);

static SPIN_FUNCTION void block_spin(struct lock* lock, uint32_t begin_us, uint32_t limit_us) {
    while (read_register(BOARD_CLOCK_US) - begin_us < limit_us)
        if (lock->word == FREE && compare_and_swap(&lock->word, FREE, HELD)) return;
    while (fetch_and_store(&lock->word, SLEEPERS) != FREE) process_sleep(&lock->word, SLEEPERS);
}

static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    const uint32_t begin_us = read_register(BOARD_CLOCK_US);
    block_spin(lock, begin_us, block_limit_us(lock));
    block_waited(lock, read_register(BOARD_CLOCK_US) - begin_us);
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    if (!compare_and_swap(&lock->word, FREE, HELD)) lock_wait(lock);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    (void)slot;
    if (!compare_and_swap(&lock->word, FREE, HELD)) return false;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    compiler_barrier();
    PROBE(PROBE_LOCK_RELEASE, lock);
    if (fetch_and_store(&lock->word, FREE) == SLEEPERS) process_wake(&lock->word, 1);
}
