// SPDX-License-Identifier: MIT
#pragma once

// Spins for a time that follows the waits of the lock, then blocks: an adaptive strategy of Karlin
// et al. 1991 (paper: blocking.h).
// Idea: a wait shorter than two context switches was worth spinning for: the limit rises. A longer
// one was not: the limit falls. State diagram of the word: blocking.h.
//
//   limit   TWO_SWITCHES_US at first
//           ── a wait of TWO_SWITCHES_US or more ──▶ SPIN_STEP_US less, down to 0
//           ── a shorter wait ──▶ SPIN_STEP_US more, up to TWO_SWITCHES_US
//
// The time of a waiter that sleeps counts too, so the limit rises again when waits are short. The
// holder changes the limit, before it has the section.
//
// Who waits for whom, fairness, limits, order: as spin-then-block.h.

#include "blocking.h"

#define LOCK_NAME "spin-then-block-adaptive"

// A guess: from the most to 0 in five waits.
#ifndef SPIN_STEP_US
#define SPIN_STEP_US (TWO_SWITCHES_US / 5)
#endif

static inline uint32_t block_limit_us(struct lock* lock) {
    return TWO_SWITCHES_US - lock->saved_us;
}

static inline void block_waited(struct lock* lock, uint32_t waited_us) {
    const uint32_t saved_us = lock->saved_us;
    if (waited_us >= TWO_SWITCHES_US)
        lock->saved_us = saved_us < TWO_SWITCHES_US ? saved_us + SPIN_STEP_US : TWO_SWITCHES_US;
    else
        lock->saved_us = saved_us > 0 ? saved_us - SPIN_STEP_US : 0;
}
