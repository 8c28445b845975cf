// SPDX-License-Identifier: MIT
#pragma once

// Read-and-increment for the queues of numbers (array, ticket), which the 386 does not have. Under
// a small lock of its own, with the backoff of delay.h, as ALL Table 4.1 has it on this machine; it
// is given back by a plain store (ordering.h rule 2). Or, in an image with NUMBER_XADD, by the
// 486's xadd.

#include <stdbool.h>

#include "ordering.h"
#include "sections.h"

// Tests begin shortly before 2^32, where numbers wrap.
#ifndef NUMBER_FIRST
#define NUMBER_FIRST 0
#endif

// The word and the small lock share a line: the exchange has brought it.
struct number {
    LINE_ALIGNED volatile unsigned next;
    volatile unsigned char taken;
};

#ifdef NUMBER_XADD

#include "atomic486.h"

static inline __attribute__((always_inline)) unsigned number_take(struct number* number) {
    return fetch_add_word(&number->next, 1);
}

// Takes it if it is `expected`.
static inline __attribute__((always_inline)) bool number_try(struct number* number,
                                                             unsigned expected) {
    return compare_exchange_word(&number->next, expected, expected + 1);
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

// Takes it if it is `expected`; fails also while somebody else has the small lock.
static inline __attribute__((always_inline)) bool number_try(struct number* number,
                                                             unsigned expected) {
    if (number->taken != 0 || exchange_byte(&number->taken, 1) != 0) return false;
    bool same = number->next == expected;
    if (same) number->next = expected + 1;
    number->taken = 0;
    return same;
}

#endif
