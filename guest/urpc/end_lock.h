// SPDX-License-Identifier: MIT
#pragma once

// Keeps the processors of one space apart at one end of a queue.
//
//   by default           test-and-set, tried once: who does not get it continues with other work
//   URPC_END_LOCK_WAITS  the image's LOCK, which a processor waits for
//   URPC_END_LOCK_NONE   none, for spaces that have one processor each
//
// The last two show what the choice costs (papers/URPC/figures/section-4.3-processors.toml).

#include <stdbool.h>

#include "lock.h"
#include "ordering.h"

#if defined(URPC_END_LOCK_WAITS)

#include "cpu.h"

struct urpc_end_lock {
    struct lock lock;
};
#define URPC_END_LOCK_INIT \
    { LOCK_INIT }
extern struct lock_slot urpc_end_slots[MAX_PROCESSORS];  // a processor is at one end at a time

static inline bool urpc_end_lock_try(struct urpc_end_lock* lock) {
    lock_acquire(&lock->lock, &urpc_end_slots[this_cpu()->number]);
    return true;
}
static inline void urpc_end_lock_leave(struct urpc_end_lock* lock) {
    lock_release(&lock->lock, &urpc_end_slots[this_cpu()->number]);
}

#elif defined(URPC_END_LOCK_NONE)

struct urpc_end_lock {
    unsigned char unused;
};
#define URPC_END_LOCK_INIT \
    { 0 }
static inline bool urpc_end_lock_try(struct urpc_end_lock* lock) {
    (void)lock;
    return true;
}
static inline void urpc_end_lock_leave(struct urpc_end_lock* lock) {
    (void)lock;
    compiler_barrier();
}

#else

struct urpc_end_lock {
    volatile unsigned char taken;
};
#define URPC_END_LOCK_INIT \
    { 0 }
static inline bool urpc_end_lock_try(struct urpc_end_lock* lock) {
    return exchange_byte(&lock->taken, 1) == 0;
}
static inline void urpc_end_lock_leave(struct urpc_end_lock* lock) {
    compiler_barrier();
    lock->taken = 0;  // ordering.h rule 2
}

#endif
