// SPDX-License-Identifier: MIT
#pragma once

// The atomic instructions that a 486 adds: an image with one of them needs processor.isa = "i486",
// and ISA i486 in symsim_guest(). Order: as xchgb, ordering.h rule 4.

#include <stdbool.h>

// Adds `value`, returns what was there.
static inline __attribute__((always_inline)) unsigned fetch_add_word(volatile unsigned* word,
                                                                     unsigned value) {
    __asm__ volatile("lock xaddl %0, %1" : "+r"(value), "+m"(*word) : : "memory", "cc");
    return value;
}

// Writes `value` if `expected` was there, else nothing new; says which.
static inline __attribute__((always_inline)) bool compare_exchange_word(volatile unsigned* word,
                                                                        unsigned expected,
                                                                        unsigned value) {
    bool same;
    __asm__ volatile("lock cmpxchgl %[value], %[word]"
                     : "=@ccz"(same), [word] "+m"(*word), "+a"(expected)
                     : [value] "r"(value)
                     : "memory");
    return same;
}
