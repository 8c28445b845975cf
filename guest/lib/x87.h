// SPDX-License-Identifier: MIT
#pragma once

// Between the math_*.c files: the coprocessor's instructions, and the three types of each function.
// All is computed in long double.

// A value in a register would keep all of its bits: the store rounds it to the type.
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

// factor * log2(x), x over 0.
static inline long double x87_log2(long double x, long double factor) {
    __asm__("fyl2x" : "=t"(x) : "0"(x), "u"(factor) : "st(1)");
    return x;
}

// 2^x - 1, x in -1 .. 1.
static inline long double x87_exp2m1(long double x) {
    __asm__("f2xm1" : "=t"(x) : "0"(x));
    return x;
}

// To a whole number, to the nearest unless rounding has been set otherwise.
static inline long double x87_round(long double x) {
    __asm__("frndint" : "=t"(x) : "0"(x));
    return x;
}
