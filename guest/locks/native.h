// SPDX-License-Identifier: MIT
#pragma once

// The native lock of the SGI 4D/480: test-and-set of a hardware lock on the synchronisation bus.
// "Native" of R. Wisniewski, L. Kontothanassis and M. Scott, "Scalable Spin Locks for
// Multiprogrammed Systems", Univ. of Rochester TR 454, 1993. The Symmetry's native lock is read.h.
// Idea: spin on a bus of its own, so that spinners take nothing from the main bus.
//
// Each lock gets a hardware lock of its own when it is first acquired, counted from 1. Hardware
// lock 0 protects the count. A program that uses more than SYNC_BUS_LOCKS - 1 locks ends with a
// panic. An interrupt handler must not be the first to acquire a lock.
//
//   number 0 ──first acquisition──▶ number n ──read: 0──▶ held ──write 0──▶ free
//                                              read: 1: spin
//
// Bus ledger (main bus, any protocol):
//   free acquisition   none, with `number` in the cache; 1 operation of the synchronisation bus
//   release            none; 1 operation, which waits until the section's stores are complete
//   each spinner       none; operations without end, which queue for the synchronisation bus
//   handoff            the release queues after the spinners' operations, then the next one wins
//
// Fairness: the bus serves operations first come, first served; a spinner whose operation follows
// the release wins. Limits: machines with sync_bus.present. Order: stores of the section are
// complete before the release begins (sync_bus.h).

#include <stdbool.h>
#include <stdint.h>

#include "ordering.h"
#include "probes.h"
#include "release.h"
#include "ring3_registers.h"
#include "sections.h"
#include "symsim.h"
#include "sync_bus.h"

#define LOCK_NAME "native"
#define LOCK_SPECIAL "needs a machine with a synchronisation bus, such as sgi-4d480"

struct lock {
    LINE_ALIGNED volatile unsigned number;  // of its hardware lock; 0: it has none yet
};
struct lock_slot {
    char unused;
};

#ifdef SYMSIM_PROCESSES
RING3_REGISTERS(SYNC_BUS, SYNC_BUS + 4 * SYNC_BUS_LOCKS);
#endif

// clang-format off
#define LOCK_INIT {0}
// clang-format on

static SPIN_FUNCTION void lock_wait(volatile uint32_t* bit) {
    while (sync_test_and_set(bit)) {
    }
}

static SPIN_FUNCTION void lock_number(struct lock* lock) {
    static volatile unsigned numbers;
    lock_wait(sync_lock(0));
    if (lock->number == 0) {
        if (numbers == SYNC_BUS_LOCKS - 1) panic("native: no hardware lock is left");
        numbers = numbers + 1;
        lock->number = numbers;
    }
    sync_clear(sync_lock(0));
}

static inline __attribute__((always_inline)) volatile uint32_t* lock_bit(struct lock* lock) {
    if (lock->number == 0) lock_number(lock);
    return sync_lock(lock->number);
}

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    volatile uint32_t* bit = lock_bit(lock);
    if (sync_test_and_set(bit)) lock_wait(bit);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

// A failed attempt records no probe, since nobody waited.
static inline __attribute__((always_inline)) bool lock_try(struct lock* lock,
                                                           struct lock_slot* slot) {
    (void)slot;
    if (sync_test_and_set(lock_bit(lock))) return false;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    compiler_barrier();
    release_word(lock, sync_lock(lock->number), 0);
}
