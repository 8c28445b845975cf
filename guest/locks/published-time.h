// SPDX-License-Identifier: MIT
#pragma once

// Part of the time-published locks: B. He, W. Scherer, M. Scott, "Preemption Adaptivity in
// Time-Published Queue-Based Spin Locks", HiPC 2005. They need no kernel that helps.
// Idea: a waiter writes the time into its node now and then. If a node's time is old, its process
// does not run. For programs of processes (process.h).
//
// Times are simulated microseconds modulo 2^32, of one clock (BOARD_CLOCK_US). A process that reads
// the clock and is preempted before it writes the time is taken for preempted earlier; no harm.

#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"

#include <stdbool.h>

#include "cpu.h"
#include "process.h"

// How often a waiter writes its time: a store on the bus each. A guess.
#ifndef PUBLISH_US
#define PUBLISH_US 20
#endif

// The age from which a time is old. A process that runs writes its time every PUBLISH_US and a few
// bus transactions, or an interrupt of the timer later. A guess, longer than such an interrupt.
#ifndef PUBLISHED_OLD_US
#define PUBLISHED_OLD_US 300
#endif

// A section that takes longer has a holder that is preempted: waiters yield (He et al. section 2,
// MAX_CS_TIME). A guess, 20 times a section of WKS.
#ifndef SECTION_LONG_US
#define SECTION_LONG_US 300
#endif

static inline uint32_t time_now(void) {
    return read_register(BOARD_CLOCK_US);
}

static inline bool time_is_old(uint32_t published) {
    return time_now() - published > PUBLISHED_OLD_US;
}

// One look at the clock by a waiter. `published`: in its own node. `since`: when the holder got the
// lock.
static inline void time_publish(volatile uint32_t* published, volatile uint32_t* since) {
    const uint32_t now = time_now();
    if (now - *published >= PUBLISH_US) *published = now;
    const uint32_t held = now - *since;
    if (held > SECTION_LONG_US && held < UINT32_MAX / 2) process_yield();
}
