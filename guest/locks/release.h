// SPDX-License-Identifier: MIT
#pragma once

// The end of a section by a plain store: stores are seen in program order (ordering.h rule 2), so
// who sees this one sees all of the section.

#include "ordering.h"
#include "probes.h"

// `lock` for the probe, which sits on the store itself.
static inline __attribute__((always_inline)) void release_word(const void* lock,
                                                               volatile unsigned* word,
                                                               unsigned value) {
    (void)lock;
    __asm__ inline volatile(PROBE_RECORD(PROBE_LOCK_RELEASE, "%[lock]") "movl %[value], %[word]"
                            : [word] "=m"(*word)
                            : [lock] "ior"(lock), [value] "ri"(value)
                            : "memory");
}
