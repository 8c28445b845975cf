// SPDX-License-Identifier: MIT
#pragma once

// compare_and_swap in software (cas.c), as the kernel sees it.

#include <stdbool.h>
#include <stdint.h>

#include "ordering.h"

extern char symsim_cas_begin[], symsim_cas_end[];  // boot/guest.ld

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
