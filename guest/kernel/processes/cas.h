// SPDX-License-Identifier: MIT
#pragma once

// compare_and_swap in software (user/cas.c), as the kernel sees it.

#include <stdbool.h>
#include <stdint.h>

#include "ordering.h"

extern char symsim_cas_begin[], symsim_cas_end[];  // boot/guest.ld

// True from before a lock is taken until after its release. The code has no loop, other than
// attempts to take the lock, between which it leaves this range.
static inline bool in_compare_and_swap(uintptr_t eip) {
    return eip >= (uintptr_t)symsim_cas_begin && eip < (uintptr_t)symsim_cas_end;
}

// The locks of compare_and_swap, one for the words of a line.
#define CAS_LOCKS 64
struct cas_lock {
    LINE_ALIGNED volatile unsigned char taken;
};
extern struct cas_lock cas_locks[CAS_LOCKS];

static inline struct cas_lock* cas_lock_of(uintptr_t word) {
    return &cas_locks[word / LINE_BYTES % CAS_LOCKS];
}

// As compare_and_swap and fetch_and_store, for the kernel. They do not trust ring 3 to release the
// lock: a lock that stays taken for CAS_PATIENCE_US is broken. An honest holder runs, and has done
// with it long before.
#define CAS_PATIENCE_US 10000
bool kernel_compare_and_swap(volatile unsigned* word, unsigned expected, unsigned value);
unsigned kernel_fetch_and_store(volatile unsigned* word, unsigned value);
