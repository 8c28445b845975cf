// SPDX-License-Identifier: MIT
#pragma once

// Internal to the math_*.c files: the coprocessor's instructions, and macros that define the three
// types of each function. All computation is in long double.

// The store to a volatile rounds to the type; a value in a register would keep its extra bits.
#define ROUNDED(type, expression)               \
    volatile type rounded = (type)(expression); \
    return rounded

#define OTHER_TYPES_OF_UNARY(name)   \
    double name(double x) {          \
        ROUNDED(double, name##l(x)); \
    }                                \
    float name##f(float x) {         \
        ROUNDED(float, name##l(x));  \
    }

#define OTHER_TYPES_OF_BINARY(name)     \
    double name(double x, double y) {   \
        ROUNDED(double, name##l(x, y)); \
    }                                   \
    float name##f(float x, float y) {   \
        ROUNDED(float, name##l(x, y));  \
    }

// x * 2^exponent.
static inline long double x87_scale(long double x, long double exponent) {
    __asm__("fscale" : "=t"(x) : "0"(x), "u"(exponent));
    return x;
}

// factor * log2(x), x > 0.
static inline long double x87_log2(long double x, long double factor) {
    __asm__("fyl2x" : "=t"(x) : "0"(x), "u"(factor) : "st(1)");
    return x;
}

// 2^x - 1 for x in -1 .. 1.
static inline long double x87_exp2m1(long double x) {
    __asm__("f2xm1" : "=t"(x) : "0"(x));
    return x;
}

// Rounds to an integer: to nearest, unless rounding control has been changed.
static inline long double x87_round(long double x) {
    __asm__("frndint" : "=t"(x) : "0"(x));
    return x;
}
