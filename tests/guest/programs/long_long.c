// SPDX-License-Identifier: MIT

// 64-bit integers: every operation on numbers of all lengths and at the ends of the range. Division
// and multiplication are checked against bit-by-bit algorithms.

#include "check.h"

static const uint64_t ends[] = {0,
                                1,
                                2,
                                10,
                                0x7FFFFFFF,
                                0x80000000,
                                0xFFFFFFFF,
                                0x100000000,
                                0x100000001,
                                0x7FFFFFFFFFFFFFFF,
                                0x8000000000000000,
                                0x8000000000000001,
                                0xFFFFFFFFFFFFFFFE,
                                0xFFFFFFFFFFFFFFFF};
#define ENDS (sizeof ends / sizeof *ends)

// Computes one bit at a time.
static uint64_t slow_divide(uint64_t dividend, uint64_t divisor, uint64_t* remainder) {
    uint64_t quotient = 0, rest = 0;
    for (int bit = 63; bit >= 0; bit--) {
        int carry = rest >> 63 != 0;
        rest = rest << 1 | (dividend >> bit & 1);
        quotient <<= 1;
        if (carry || rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    *remainder = rest;
    return quotient;
}

static uint64_t slow_multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (; b != 0; b >>= 1, a <<= 1)
        if (b & 1) product += a;
    return product;
}

static uint64_t slow_shift_left(uint64_t x, unsigned count) {
    while (count-- != 0) x += x;
    return x;
}

static void check_pair(uint64_t a, uint64_t b) {
    mix64(a + b);
    mix64(a - b);
    mix64(a & b);
    mix64(a | b);
    mix64(a ^ b);
    mix((uint32_t)((a < b) | (a > b) << 1 | (a == b) << 2));
    mix((uint32_t)(((int64_t)a < (int64_t)b) | ((int64_t)a >= (int64_t)b) << 1));
    REQUIRE(a * b == slow_multiply(a, b));
    unsigned count = (unsigned)b & 63;
    REQUIRE(a << count == slow_shift_left(a, count));
    mix64(a >> count);
    mix64((uint64_t)((int64_t)a >> count));
    if (b == 0) return;
    uint64_t remainder, quotient = slow_divide(a, b, &remainder);
    REQUIRE(a / b == quotient);
    REQUIRE(a % b == remainder);
    mix64(quotient);
    mix64(remainder);
    if (a == 1ull << 63 && b + 1 == 0) return;  // the one quotient that does not fit
    int64_t x = (int64_t)a, y = (int64_t)b;
    int64_t q = x / y, r = x % y;
    REQUIRE((uint64_t)q * b + (uint64_t)r == a);
    REQUIRE(r == 0 || (r < 0) == (x < 0));
    mix64((uint64_t)q);
    mix64((uint64_t)r);
}

static void check_one(uint64_t a) {
    mix((uint32_t)__builtin_popcountll(a));
    mix((uint32_t)__builtin_ffsll((long long)a));
    mix64(__builtin_bswap64(a));
    mix64((uint64_t)llabs((long long)(a | 1)));
    mix64((uint64_t)(int8_t)a);
    mix64((uint64_t)(int16_t)a);
    mix64((uint64_t)(int32_t)a);
    if (a == 0) return;
    int length = 64 - __builtin_clzll(a);
    REQUIRE(a >> (length - 1) == 1);
    REQUIRE((a >> __builtin_ctzll(a) & 1) == 1);
    uint64_t digits = 0, rest = a;
    for (; rest != 0; rest /= 10) digits = digits * 11 + rest % 10;
    mix64(digits);
}

static uint64_t any_length(void) {
    uint64_t high = random_word();
    return (high << 32 | random_word()) >> (random_word() >> 26);
}

// Fibonacci numbers modulo 2^64, and 20! by products and quotients.
static void check_series(void) {
    uint64_t a = 0, b = 1;
    for (int i = 0; i < 200; i++) {
        uint64_t next = a + b;
        a = b;
        b = next;
    }
    mix64(a);
    volatile uint64_t product = 1;
    for (unsigned i = 2; i <= 20; i++) product *= i;
    REQUIRE(product == 2432902008176640000u);
    for (unsigned i = 20; i >= 2; i--) product /= i;
    REQUIRE(product == 1);
}

int main(void) {
    for (unsigned i = 0; i < ENDS; i++) {
        check_one(ends[i]);
        for (unsigned j = 0; j < ENDS; j++) check_pair(ends[i], ends[j]);
    }
    for (int i = 0; i < 200; i++) {
        uint64_t a = any_length(), b = any_length();
        check_one(a);
        check_pair(a, b);
    }
    check_series();
    return finish("long_long");
}
