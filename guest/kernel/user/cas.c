// SPDX-License-Identifier: MIT

// compare_and_swap for a processor without such an instruction: under a lock. So fetch_and_store
// must be under it too. A process that is interrupted here is not preempted before it has left
// (quantum.c). The kernel calls them too, with interrupts off.

#include "kernel/cas.h"

#include "process.h"
#include "sections.h"

struct cas_lock cas_locks[CAS_LOCKS];

static inline volatile unsigned char* lock_for(volatile unsigned* word) {
    volatile unsigned char* taken = &cas_lock_of((uintptr_t)word)->taken;
    (void)*word;  // a page fault, if any, before the lock is taken
    while (exchange_byte(taken, 1) != 0)
        while (*taken) {
        }
    return taken;
}

SECTION_FUNCTION(".text.cas")
bool compare_and_swap(volatile unsigned* word, unsigned expected, unsigned value) {
    volatile unsigned char* taken = lock_for(word);
    bool same = *word == expected;
    if (same) *word = value;
    exchange_byte(taken, 0);
    return same;
}

SECTION_FUNCTION(".text.cas")
unsigned fetch_and_store(volatile unsigned* word, unsigned value) {
    volatile unsigned char* taken = lock_for(word);
    unsigned before = *word;
    *word = value;
    exchange_byte(taken, 0);
    return before;
}
