// SPDX-License-Identifier: MIT

// Rounding, remainders, and exponent and mantissa of numbers.

#include <math.h>

#include "x87.h"

// Rounding control, bits 10 and 11 of the control word (80387 Programmer's Reference Manual).
#define ROUNDING 0x0C00
#define DOWN 0x0400
#define UP 0x0800
#define TOWARDS_ZERO 0x0C00

static long double round_by(long double x, unsigned rounding) {
    unsigned short before, control;
    __asm__ volatile("fnstcw %0" : "=m"(before));
    control = (unsigned short)((before & ~ROUNDING) | rounding);
    __asm__ volatile(
        "fldcw %2\n\t"
        "frndint\n\t"
        "fldcw %3"
        : "=t"(x)
        : "0"(x), "m"(control), "m"(before));
    return x;
}

long double fabsl(long double x) {
    __asm__("fabs" : "=t"(x) : "0"(x));
    return x;
}
long double floorl(long double x) {
    return round_by(x, DOWN);
}
long double ceill(long double x) {
    return round_by(x, UP);
}
long double truncl(long double x) {
    return round_by(x, TOWARDS_ZERO);
}
long double rintl(long double x) {
    return x87_round(x);
}
long double nearbyintl(long double x) {
    return x87_round(x);
}

// Halves are rounded away from zero.
long double roundl(long double x) {
    long double whole = truncl(x);
    if (fabsl(x - whole) >= 0.5L) whole += copysignl(1, x);
    return copysignl(whole, x);
}

long lround(double x) {
    return (long)roundl(x);
}
long lrint(double x) {
    return (long)x87_round(x);
}
long long llround(double x) {
    return (long long)roundl(x);
}

long double copysignl(long double x, long double y) {
    return signbit(x) == signbit(y) ? x : -x;
}

// fprem reduces by at most 63 bits of the quotient at a time. C2, bit 10 of the status word, is set
// while the reduction is incomplete.
long double fmodl(long double x, long double y) {
    unsigned short status;
    do {
        __asm__(
            "fprem\n\t"
            "fnstsw %%ax"
            : "=t"(x), "=a"(status)
            : "0"(x), "u"(y));
    } while (status & 0x0400);
    return x;
}

long double remainderl(long double x, long double y) {
    unsigned short status;
    do {
        __asm__(
            "fprem1\n\t"
            "fnstsw %%ax"
            : "=t"(x), "=a"(status)
            : "0"(x), "u"(y));
    } while (status & 0x0400);
    return x;
}

long double fmaxl(long double x, long double y) {
    return isnan(x) || x < y ? y : x;
}
long double fminl(long double x, long double y) {
    return isnan(x) || y < x ? y : x;
}
long double fdiml(long double x, long double y) {
    return isnan(x) || isnan(y) ? x + y : x > y ? x - y : 0;
}

OTHER_TYPES_OF_UNARY(fabs)
OTHER_TYPES_OF_UNARY(floor)
OTHER_TYPES_OF_UNARY(ceil)
OTHER_TYPES_OF_UNARY(trunc)
OTHER_TYPES_OF_UNARY(rint)
OTHER_TYPES_OF_UNARY(nearbyint)
OTHER_TYPES_OF_UNARY(round)
OTHER_TYPES_OF_BINARY(copysign)
OTHER_TYPES_OF_BINARY(fmod)
OTHER_TYPES_OF_BINARY(remainder)
OTHER_TYPES_OF_BINARY(fmax)
OTHER_TYPES_OF_BINARY(fmin)
OTHER_TYPES_OF_BINARY(fdim)

// Chooses the exponent so that the mantissa is in 1/2 .. 1.
long double frexpl(long double x, int* exponent) {
    *exponent = 0;
    if (x == 0 || !isfinite(x)) return x;
    long double mantissa, power;
    __asm__("fxtract" : "=t"(mantissa), "=u"(power) : "0"(x));
    *exponent = (int)power + 1;
    return mantissa / 2;
}
double frexp(double x, int* exponent) {
    ROUNDED(double, frexpl(x, exponent));
}
float frexpf(float x, int* exponent) {
    ROUNDED(float, frexpl(x, exponent));
}

// fscale is defined up to 2^15; beyond 2 * 16500 every result is 0 or infinite.
long double ldexpl(long double x, int exponent) {
    if (exponent > 32767) exponent = 32767;
    if (exponent < -32767) exponent = -32767;
    return x87_scale(x, exponent);
}
double ldexp(double x, int exponent) {
    ROUNDED(double, ldexpl(x, exponent));
}
float ldexpf(float x, int exponent) {
    ROUNDED(float, ldexpl(x, exponent));
}
long double scalbnl(long double x, int exponent) {
    return ldexpl(x, exponent);
}
double scalbn(double x, int exponent) {
    return ldexp(x, exponent);
}
float scalbnf(float x, int exponent) {
    return ldexpf(x, exponent);
}

// Both parts have the sign of x.
long double modfl(long double x, long double* whole) {
    *whole = truncl(x);
    return copysignl(isinf(x) ? 0 : x - *whole, x);
}
double modf(double x, double* whole) {
    long double part, fraction = modfl(x, &part);
    *whole = (double)part;
    ROUNDED(double, fraction);
}
float modff(float x, float* whole) {
    long double part, fraction = modfl(x, &part);
    *whole = (float)part;
    ROUNDED(float, fraction);
}
