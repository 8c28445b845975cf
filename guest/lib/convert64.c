// SPDX-License-Identifier: MIT

// Floating-point to and from unsigned 64-bit integers, which gcc leaves to a library: the
// coprocessor converts only signed ones. Uses long double, which holds all of them exactly.

#include <stdint.h>

uint64_t __fixunssfdi(float x);
uint64_t __fixunsdfdi(double x);
uint64_t __fixunsxfdi(long double x);
float __floatundisf(uint64_t x);
double __floatundidf(uint64_t x);
long double __floatundixf(uint64_t x);

#define TWO_63 9223372036854775808.0L

uint64_t __fixunsxfdi(long double x) {
    if (x < TWO_63) return (uint64_t)(int64_t)x;
    return (uint64_t)(int64_t)(x - TWO_63) | 1ull << 63;
}

uint64_t __fixunsdfdi(double x) {
    return __fixunsxfdi(x);
}

uint64_t __fixunssfdi(float x) {
    return __fixunsxfdi(x);
}

long double __floatundixf(uint64_t x) {
    long double value = (int64_t)x;
    return (int64_t)x < 0 ? value + 2 * TWO_63 : value;
}

// The store to a volatile rounds; a value in a register would keep its extra bits.
double __floatundidf(uint64_t x) {
    volatile double rounded = (double)__floatundixf(x);
    return rounded;
}

float __floatundisf(uint64_t x) {
    volatile float rounded = (float)__floatundixf(x);
    return rounded;
}
