// SPDX-License-Identifier: MIT

// Roots, powers, logarithms and hyperbolic functions.

#include <math.h>
#include <stdbool.h>

#include "x87.h"

long double sqrtl(long double x) {
    __asm__("fsqrt" : "=t"(x) : "0"(x));
    return x;
}

static long double log2_e(void) {
    long double x;
    __asm__("fldl2e" : "=t"(x));
    return x;
}

static long double ln_2(void) {
    long double x;
    __asm__("fldln2" : "=t"(x));
    return x;
}

static long double log10_2(void) {
    long double x;
    __asm__("fldlg2" : "=t"(x));
    return x;
}

long double logl(long double x) {
    return x87_log2(x, ln_2());
}
long double log2l(long double x) {
    return x87_log2(x, 1);
}
long double log10l(long double x) {
    return x87_log2(x, log10_2());
}

// fyl2xp1 keeps the digits of a small x; it is defined for |x| up to 1 - sqrt(1/2), 0.2929.
long double log1pl(long double x) {
    if (!(fabsl(x) < 0.29L)) return logl(1 + x);
    __asm__("fyl2xp1" : "=t"(x) : "0"(x), "u"(ln_2()) : "st(1)");
    return x;
}

// 2^x: the integer part is an exponent; the rest is in -1/2 .. 1/2. 40000 exceeds every exponent.
long double exp2l(long double x) {
    if (isnan(x)) return x;
    if (x > 40000) x = 40000;
    if (x < -40000) x = -40000;
    long double whole = x87_round(x);
    return x87_scale(x87_exp2m1(x - whole) + 1, whole);
}

// ln 2 in two parts; the first has so few bits that its multiples are exact. x is reduced before it
// is multiplied by log2(e); otherwise 2^10 * log2(e) would leave only 54 correct bits.
#define LN_2_HIGH 0x1.62e42fefp-1L
#define LN_2_LOW 0xa.39ef35793c7673p-37L

long double expl(long double x) {
    if (isnan(x)) return x;
    if (x > 20000) x = 20000;
    if (x < -20000) x = -20000;
    long double whole = x87_round(x * log2_e());
    long double rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    return x87_scale(x87_exp2m1(rest * log2_e()) + 1, whole);
}

long double expm1l(long double x) {
    if (fabsl(x) < 0.5L) return x87_exp2m1(x * log2_e());
    return expl(x) - 1;
}

long double sinhl(long double x) {
    long double e = expm1l(fabsl(x));
    return copysignl(isinf(e) ? e : (e + e / (e + 1)) / 2, x);
}

long double coshl(long double x) {
    long double e = expl(fabsl(x));
    return (e + 1 / e) / 2;
}

long double tanhl(long double x) {
    long double e = expm1l(2 * fabsl(x));
    return copysignl(isinf(e) ? 1 : e / (e + 2), x);
}

static bool is_whole(long double x) {
    return x87_round(x) == x;
}

static bool is_odd(long double x) {
    return is_whole(x) && !is_whole(x / 2);
}

// By repeated squaring: exact while the result has at most 64 bits.
static long double whole_power(long double x, unsigned exponent) {
    long double result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result *= x;
        x *= x;
    }
    return result;
}

// Requires x positive and finite, y finite.
static long double positive_power(long double x, long double y) {
    if (is_whole(y) && fabsl(y) <= 64) {
        long double power = whole_power(x, (unsigned)fabsl(y));
        if (power != 0 && !isinf(power)) return y < 0 ? 1 / power : power;
    }
    return exp2l(x87_log2(x, y));
}

long double powl(long double x, long double y) {
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return x + y;
    if (isinf(y)) {
        if (fabsl(x) == 1) return 1;
        return (fabsl(x) > 1) == (y > 0) ? (long double)INFINITY : 0;
    }
    if (x < 0 && !isinf(x) && !is_whole(y)) return (x - x) / (x - x);
    long double magnitude = fabsl(x), power;
    if (magnitude == 0 || isinf(magnitude))
        power = (magnitude == 0) == (y < 0) ? (long double)INFINITY : 0;
    else
        power = positive_power(magnitude, y);
    return signbit(x) && is_odd(y) ? -power : power;
}

// One Newton step from a good estimate: the roots of cubes of integers are exact.
long double cbrtl(long double x) {
    if (x == 0 || !isfinite(x)) return x;
    long double magnitude = fabsl(x);
    long double root = exp2l(x87_log2(magnitude, 1) / 3);
    root -= (root - magnitude / (root * root)) / 3;
    return copysignl(root, x);
}

// Scales by the exponent of the larger number first, so that squares do not overflow.
long double hypotl(long double x, long double y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    long double large = fmaxl(fabsl(x), fabsl(y)), small = fminl(fabsl(x), fabsl(y));
    if (isnan(x) || isnan(y)) return x + y;
    if (small == 0) return large;
    int exponent;
    frexpl(large, &exponent);
    large = ldexpl(large, -exponent);
    small = ldexpl(small, -exponent);
    return ldexpl(sqrtl(large * large + small * small), exponent);
}

OTHER_TYPES_OF_UNARY(sqrt)
OTHER_TYPES_OF_UNARY(log)
OTHER_TYPES_OF_UNARY(log2)
OTHER_TYPES_OF_UNARY(log10)
OTHER_TYPES_OF_UNARY(log1p)
OTHER_TYPES_OF_UNARY(exp)
OTHER_TYPES_OF_UNARY(exp2)
OTHER_TYPES_OF_UNARY(expm1)
OTHER_TYPES_OF_UNARY(sinh)
OTHER_TYPES_OF_UNARY(cosh)
OTHER_TYPES_OF_UNARY(tanh)
OTHER_TYPES_OF_UNARY(cbrt)
OTHER_TYPES_OF_BINARY(pow)
OTHER_TYPES_OF_BINARY(hypot)
