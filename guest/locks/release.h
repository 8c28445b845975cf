// SPDX-License-Identifier: MIT
#pragma once

// Release of a lock by a plain store or by the exchange of a word. Stores become visible in program
// order (ordering.h rule 2), so a processor that sees this store sees all stores of the section.

#define LOCK_RELEASE store

#include "ordering.h"
#include "probes.h"

// `lock` is only for the probe, which marks the store itself.
static inline __attribute__((always_inline)) void release_word(const void* lock,
                                                               volatile unsigned* word,
                                                               unsigned value) {
    (void)lock;
    __asm__ inline volatile(PROBE_RECORD(PROBE_LOCK_RELEASE, "%[lock]") "movl %[value], %[word]"
                            : [word] "=m"(*word)
                            : [lock] "ior"(lock), [value] "ri"(value)
                            : "memory");
}

// exchange_word as a release; returns the old value.
static inline __attribute__((always_inline)) unsigned release_exchange(const void* lock,
                                                                       volatile unsigned* word,
                                                                       unsigned value) {
    (void)lock;
    __asm__ inline volatile(PROBE_RECORD(PROBE_LOCK_RELEASE, "%[lock]") "xchgl %[value], %[word]"
                            : [value] "+r"(value), [word] "+m"(*word)
                            : [lock] "ior"(lock)
                            : "memory");
    return value;
}
