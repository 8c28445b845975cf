// SPDX-License-Identifier: MIT

// 64-bit arithmetic: fixed cases for guest/lib/divide64.c, then random cases, checked by the
// definition of division. Argument: turns, number of random cases, default 2000.

#include "test.h"

struct division {
    uint64_t dividend, divisor, quotient, remainder;
};

// Computed by hand, at the limits of each path through __udivmoddi4.
static const struct division divisions[] = {
    {0, 1, 0, 0},
    {7, 2, 3, 1},
    {0xFFFFFFFFFFFFFFFF, 1, 0xFFFFFFFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFFFFFF, 10, 0x1999999999999999, 5},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, 0x100000001, 0},
    {0x100000000, 0xFFFFFFFF, 1, 1},
    {0x100000000, 0x100000000, 1, 0},
    {0xFFFFFFFF, 0x100000000, 0, 0xFFFFFFFF},
    {0xFFFFFFFFFFFFFFFF, 0x100000000, 0xFFFFFFFF, 0xFFFFFFFF},
    {0xFFFFFFFFFFFFFFFF, 0x8000000000000000, 1, 0x7FFFFFFFFFFFFFFF},
    {0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0, 0x8000000000000000},
    {0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF, 0, 0xFFFFFFFFFFFFFFFE},
    {0x123456789ABCDEF0, 0x123456789, 0x10000000, 0xABCDEF0},
};

struct signed_division {
    int64_t dividend, divisor, quotient, remainder;
};

static const struct signed_division signed_divisions[] = {
    {7, 2, 3, 1},
    {-7, 2, -3, -1},
    {7, -2, -3, 1},
    {-7, -2, 3, -1},
    {INT64_MIN, 1, INT64_MIN, 0},
    {INT64_MIN, 0x100000000, -0x80000000LL, 0},
};

// Hides a value from the compiler, so that it cannot compute the result itself.
static uint64_t hide(uint64_t value) {
    __asm__ volatile("" : "+m"(value));
    return value;
}

static void check_fixed(void) {
    for (unsigned i = 0; i < sizeof divisions / sizeof *divisions; i++) {
        const struct division* d = &divisions[i];
        CHECK_EQUAL(hide(d->dividend) / hide(d->divisor), d->quotient);
        CHECK_EQUAL(hide(d->dividend) % hide(d->divisor), d->remainder);
    }
    for (unsigned i = 0; i < sizeof signed_divisions / sizeof *signed_divisions; i++) {
        const struct signed_division* d = &signed_divisions[i];
        int64_t dividend = (int64_t)hide((uint64_t)d->dividend);
        int64_t divisor = (int64_t)hide((uint64_t)d->divisor);
        CHECK_EQUAL((uint64_t)(dividend / divisor), (uint64_t)d->quotient);
        CHECK_EQUAL((uint64_t)(dividend % divisor), (uint64_t)d->remainder);
    }
}

// A random number; all lengths from 1 to 64 bits are about equally likely.
static uint64_t random_number(void) {
    uint64_t high = random_next();
    return (high << 32 | random_next()) >> random_below(64);
}

static void check_random(unsigned turns) {
    for (unsigned i = 0; i < turns; i++) {
        uint64_t dividend = random_number();
        uint64_t divisor = random_number() | 1;
        uint64_t quotient = dividend / divisor;
        uint64_t remainder = dividend % divisor;
        CHECK(remainder < divisor);
        CHECK(divisor == 1 || quotient <= dividend / 2);
        CHECK_EQUAL(quotient * divisor + remainder, dividend);
    }
}

static void check_shifts(void) {
    CHECK_EQUAL(hide(0x80000001) << 33, 0x200000000);
    CHECK_EQUAL(hide(0x8000000180000000) >> 31, 0x100000003);
    CHECK_EQUAL(hide(0xFFFFFFFF) * hide(0xFFFFFFFF), 0xFFFFFFFE00000001);
    CHECK_EQUAL(hide(0xFFFFFFFF) + hide(1), 0x100000000);
    CHECK_EQUAL(hide(0x100000000) - hide(1), 0xFFFFFFFF);
}

int main(void) {
    check_shifts();
    check_fixed();
    check_random(arg_unsigned("turns", 2000));
    return 0;
}
