// SPDX-License-Identifier: MIT
#pragma once

// Fetch-and-increment for the locks that use numbers (array, ticket). The 386 has no such
// instruction. So a small TTAS lock with the backoff of delay.h guards the number, as in ALL Table
// 4.1, and numbers are not taken in the order of arrival. A plain store releases the small lock
// (ordering.h rule 2). With NUMBER_XADD the 486's xadd takes a number, with
// NUMBER_COMPARE_AND_SWAP that of process.h.

#include <stdbool.h>

#include "ordering.h"
#include "sections.h"

// Tests set a value shortly below 2^32, so that numbers wrap.
#ifndef NUMBER_FIRST
#define NUMBER_FIRST 0
#endif

// The number and its small lock share a line: the xchgb of the lock brings both into the cache.
struct number {
    LINE_ALIGNED volatile unsigned next;
    volatile unsigned char taken;
};

#ifdef NUMBER_XADD

#include "atomic486.h"

static inline __attribute__((always_inline)) unsigned number_take(struct number* number) {
    return fetch_add_word(&number->next, 1);
}

// Takes the next number if it is `expected`.
static inline __attribute__((always_inline)) bool number_try(struct number* number,
                                                             unsigned expected) {
    return compare_exchange_word(&number->next, expected, expected + 1);
}

#elif defined(NUMBER_COMPARE_AND_SWAP)

#include "process.h"

static inline __attribute__((always_inline)) bool number_try(struct number* number,
                                                             unsigned expected) {
    return compare_and_swap(&number->next, expected, expected + 1);
}

static inline __attribute__((always_inline)) unsigned number_take(struct number* number) {
    for (;;) {
        unsigned mine = number->next;
        if (number_try(number, mine)) return mine;
    }
}

#else

#include "delay.h"

static SPIN_FUNCTION void number_wait(struct number* number) {
    delay_until_taken(&number->taken);
}

static inline __attribute__((always_inline)) unsigned number_take(struct number* number) {
    if (exchange_byte(&number->taken, 1) != 0) number_wait(number);
    unsigned mine = number->next;
    number->next = mine + 1;
    number->taken = 0;
    return mine;
}

// Takes the next number if it is `expected`. Fails also if another processor has the small lock.
static inline __attribute__((always_inline)) bool number_try(struct number* number,
                                                             unsigned expected) {
    if (number->taken != 0 || exchange_byte(&number->taken, 1) != 0) return false;
    bool same = number->next == expected;
    if (same) number->next = expected + 1;
    number->taken = 0;
    return same;
}

#endif
