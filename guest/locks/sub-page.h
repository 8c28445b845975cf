// SPDX-License-Identifier: MIT
#pragma once

// The native lock of the KSR1: the lock's sub-page is got, and released. "Native" of R. Wisniewski,
// L. Kontothanassis and M. Scott, "Scalable Spin Locks for Multiprogrammed Systems", Univ. of
// Rochester TR 454, 1993. The SGI's native lock is native.h.
// Idea: the hardware keeps all others off the lock's bytes, and serves them in order.
//
//   got by nobody ──get──▶ got ──release──▶ the first of those that wait, or nobody
//
// Bus ledger (nodes):
//   free acquisition   1 message to the home and the block back, or none where the block is owned
//   release            none
//   each waiter        none: its request waits at the home
//   handoff            from the last owner to the home, and to the next one
//
// Fairness: first come, first served at the home. A processor that waits makes nothing else: it
// cannot take interrupts. So a process whose quantum ends while it waits is preempted when it has
// got the lock. Limits: machines with sub_page.present. The processor that gets the lock releases
// it, and cannot get it twice: of the processes on a processor, one may use the lock. Order: stores
// of the section are complete before the release (sub_page.h).

#include <stdbool.h>

#include "probes.h"
#include "ring3_registers.h"
#include "sections.h"
#include "sub_page.h"

#ifndef LOCK_NAME
#define LOCK_NAME "sub-page"
#endif
#define LOCK_SPECIAL "needs a machine with sub-page locks, such as ksr1"
#define LOCK_HAS_TRY 0

struct lock {
    char sub_page[SUB_PAGE_BYTES] __attribute__((aligned(SUB_PAGE_BYTES)));
};
struct lock_slot {
    char unused;
};

#ifdef SYMSIM_PROCESSES
RING3_REGISTERS(SUB_PAGE_REGISTERS, SUB_PAGE_REGISTERS + SUB_PAGE_REGISTER_BYTES);
#endif

// clang-format off
#define LOCK_INIT {{0}}
// clang-format on

#ifndef SUB_PAGE_INTERRUPTIBLE
// The wait is in one store.
static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    sub_page_get(lock);
}
#else
// An experiment, in programs of processes: as if an interrupt could end the wait. A process whose
// quantum ended meanwhile releases the sub-page at once and yields.
#include "process.h"
static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    for (;;) {
        process_block()->unpreemptable = 1;
        sub_page_get(lock);
        process_block()->unpreemptable = 0;
        if (!process_block()->warning) return;
        sub_page_release(lock);
        process_yield();
    }
}
#endif

static inline __attribute__((always_inline)) void lock_acquire(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    lock_wait(lock);
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}

static inline __attribute__((always_inline)) void lock_release(struct lock* lock,
                                                               struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_RELEASE, lock);
    sub_page_release(lock);
}
