// SPDX-License-Identifier: MIT

// compare_and_swap for a processor without such an instruction: under a lock. So fetch_and_store
// must be under it too. A process that is interrupted here is not preempted before it has left
// (quantum.c). It waits for the lock elsewhere, in cas_wait, where it may be preempted.

#include "kernel/processes/cas.h"

#include "process.h"
#include "sections.h"
#include "symsim.h"

struct cas_lock cas_locks[CAS_LOCKS];

static SPIN_FUNCTION void cas_wait(volatile unsigned char* taken) {
    while (*taken) {
    }
}

static inline __attribute__((always_inline)) volatile unsigned char* lock_for(
    volatile unsigned* word) {
    volatile unsigned char* taken = &cas_lock_of((uintptr_t)word)->taken;
    (void)*word;  // a page fault, if any, before the lock is taken
    while (exchange_byte(taken, 1) != 0) cas_wait(taken);
    return taken;
}

// The two operations, with the lock taken.
static inline __attribute__((always_inline)) bool swap_if(volatile unsigned char* taken,
                                                          volatile unsigned* word,
                                                          unsigned expected, unsigned value) {
    bool same = *word == expected;
    if (same) *word = value;
    exchange_byte(taken, 0);
    return same;
}

static inline __attribute__((always_inline)) unsigned swap(volatile unsigned char* taken,
                                                           volatile unsigned* word,
                                                           unsigned value) {
    unsigned before = *word;
    *word = value;
    exchange_byte(taken, 0);
    return before;
}

// Any function of ring 3 that takes one of the locks.
#define CAS_FUNCTION SECTION_FUNCTION(".text.cas")

CAS_FUNCTION bool compare_and_swap(volatile unsigned* word, unsigned expected, unsigned value) {
    return swap_if(lock_for(word), word, expected, value);
}

CAS_FUNCTION unsigned fetch_and_store(volatile unsigned* word, unsigned value) {
    return swap(lock_for(word), word, value);
}

static volatile unsigned char* kernel_lock_for(volatile unsigned* word) {
    volatile unsigned char* taken = &cas_lock_of((uintptr_t)word)->taken;
    const uint32_t begin = clock_us();
    while (exchange_byte(taken, 1) != 0)
        while (*taken)
            if (clock_us() - begin > CAS_PATIENCE_US) return taken;
    return taken;
}

KERNEL_FUNCTION bool kernel_compare_and_swap(volatile unsigned* word, unsigned expected,
                                             unsigned value) {
    return swap_if(kernel_lock_for(word), word, expected, value);
}

KERNEL_FUNCTION unsigned kernel_fetch_and_store(volatile unsigned* word, unsigned value) {
    return swap(kernel_lock_for(word), word, value);
}
