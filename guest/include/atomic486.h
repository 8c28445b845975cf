// SPDX-License-Identifier: MIT
#pragma once

// Atomic instructions that the 486 adds. An image that contains one needs processor.isa = "i486"
// and ISA i486 in symsim_guest(). Memory order: as xchgb, ordering.h rule 4.

#include <stdbool.h>

// Adds `value` and returns the old value.
static inline __attribute__((always_inline)) unsigned fetch_add_word(volatile unsigned* word,
                                                                     unsigned value) {
    __asm__ volatile("lock xaddl %0, %1" : "+r"(value), "+m"(*word) : : "memory", "cc");
    return value;
}

// Writes `value` if the word is `expected`, else leaves it unchanged. Returns whether it was.
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
