// SPDX-License-Identifier: MIT

// Trigonometric functions and their inverses.

#include <math.h>

#include "x87.h"

// fsin, fcos and fptan know pi to 66 bits: at 10^6 only 46 bits remain after the binary point. So
// angles up to 3.3e9, 2^31 quarter turns, are first reduced to -pi/4 .. pi/4. Pi / 2 is subtracted
// in three parts; the first two have so few bits that their multiples are exact.
#define REDUCED_MOST 3.3e9L
#define QUARTER_1 0xc90fdaa2p-31L
#define QUARTER_2 0x85a308d3p-65L
#define QUARTER_3 0x98cc51701b839a25p-132L

struct angle {
    long double rest;
    unsigned quarters;
};

static struct angle reduce(long double x) {
    long double size = fabsl(x);
    if (!(size > 0.78L && size < REDUCED_MOST)) return (struct angle){x, 0};
    long double quarters = x87_round(x / QUARTER_1);
    long double rest = x - quarters * QUARTER_1 - quarters * QUARTER_2 - quarters * QUARTER_3;
    return (struct angle){rest, (unsigned)(long long)quarters & 3};
}

static long double sine(long double x) {
    __asm__("fsin" : "=t"(x) : "0"(x));
    return x;
}

static long double cosine(long double x) {
    __asm__("fcos" : "=t"(x) : "0"(x));
    return x;
}

// sin(rest + quarters * pi / 2)
static long double sine_of(struct angle angle) {
    long double value = angle.quarters & 1 ? cosine(angle.rest) : sine(angle.rest);
    return angle.quarters & 2 ? -value : value;
}

long double sinl(long double x) {
    return sine_of(reduce(x));
}

// The cosine is the sine a quarter turn later.
long double cosl(long double x) {
    struct angle angle = reduce(x);
    angle.quarters++;
    return sine_of(angle);
}

// fptan pushes a 1 after its result.
long double tanl(long double x) {
    struct angle angle = reduce(x);
    long double tangent;
    __asm__(
        "fptan\n\t"
        "fstp %%st(0)"
        : "=t"(tangent)
        : "0"(angle.rest)
        : "st(1)");
    return angle.quarters & 1 ? -1 / tangent : tangent;
}

// gcc calls these where a program takes sine and cosine of one angle.
void sincosl(long double x, long double* sine, long double* cosine) {
    *sine = sinl(x);
    *cosine = cosl(x);
}
void sincos(double x, double* sine, double* cosine) {
    long double s, c;
    sincosl(x, &s, &c);
    *sine = (double)s;
    *cosine = (double)c;
}
void sincosf(float x, float* sine, float* cosine) {
    long double s, c;
    sincosl(x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}

// The angle of the point (x, y), in all four quadrants.
long double atan2l(long double y, long double x) {
    __asm__("fpatan" : "=t"(x) : "0"(x), "u"(y) : "st(1)");
    return x;
}

long double atanl(long double x) {
    return atan2l(x, 1);
}

// 1 - x * x as a product, which is exact near 1, where the difference would cancel.
long double asinl(long double x) {
    return atan2l(x, sqrtl((1 - x) * (1 + x)));
}
long double acosl(long double x) {
    return atan2l(sqrtl((1 - x) * (1 + x)), x);
}

OTHER_TYPES_OF_UNARY(sin)
OTHER_TYPES_OF_UNARY(cos)
OTHER_TYPES_OF_UNARY(tan)
OTHER_TYPES_OF_UNARY(asin)
OTHER_TYPES_OF_UNARY(acos)
OTHER_TYPES_OF_UNARY(atan)
OTHER_TYPES_OF_BINARY(atan2)
