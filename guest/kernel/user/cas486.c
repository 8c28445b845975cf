// SPDX-License-Identifier: MIT

// cas.c for a 486: compare_and_swap is an instruction, so it takes no lock, and nobody who is
// interrupted here delays others. In the library of programs with ISA i486.

#include "kernel/processes/cas.h"

#include "atomic486.h"
#include "process.h"
#include "sections.h"

struct cas_lock cas_locks[CAS_LOCKS];  // faults.c refers to them; none is ever taken

bool compare_and_swap(volatile unsigned* word, unsigned expected, unsigned value) {
    return compare_exchange_word(word, expected, value);
}

unsigned fetch_and_store(volatile unsigned* word, unsigned value) {
    return exchange_word(word, value);
}

KERNEL_FUNCTION bool kernel_compare_and_swap(volatile unsigned* word, unsigned expected,
                                             unsigned value) {
    return compare_exchange_word(word, expected, value);
}

KERNEL_FUNCTION unsigned kernel_fetch_and_store(volatile unsigned* word, unsigned value) {
    return exchange_word(word, value);
}
