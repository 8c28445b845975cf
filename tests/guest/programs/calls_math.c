// SPDX-License-Identifier: MIT

// Generated calls of math.h, for all three types. Functions whose result is exact, or rounded once,
// are printed in full; of the others 12 digits, which every good library gets right.

#include <math.h>

#include "check.h"

#define CALLS 30  // of each function

static double some_number(void) {
    const double edges[] = {0.0,  -0.0, 0.5,    -0.5, 1.0,    1.5,      2.5,       -2.5,
                            1e16, 1e17, 0x1p52, 1e-5, 5e-324, INFINITY, -INFINITY, NAN};
    const unsigned which = random_word() % 80;
    if (which < sizeof edges / sizeof *edges) return edges[which];
    const double fraction = (double)random_word() / 0x1p31 - 1;
    if (which < 40) return fraction * 1000;
    if (which < 60) return fraction * 3;
    return ldexp(fraction, (int)(random_word() % 200) - 100);
}

static void put_exactly(long double value, int bits) {
    if (value != value)  // which NaN it is differs
        printf(" nan");
    else
        printf(" %.*Lg", bits == 24 ? 9 : bits == 53 ? 17 : 21, value);
}

static void put_nearly(long double value) {
    if (value != value)
        printf(" nan");
    else
        printf(" %.11Le", value);
}

#define EXACT(name)                                   \
    do {                                              \
        printf(#name);                                \
        put_exactly(name(x), 53);                     \
        put_exactly(name##f((float)x), 24);           \
        put_exactly(name##l((long double)x / 3), 64); \
        printf("\n");                                 \
    } while (0)
#define EXACT_OF_TWO(name)                                                \
    do {                                                                  \
        printf(#name);                                                    \
        put_exactly(name(x, y), 53);                                      \
        put_exactly(name##f((float)x, (float)y), 24);                     \
        put_exactly(name##l((long double)x / 3, (long double)y / 7), 64); \
        printf("\n");                                                     \
    } while (0)

static void exact(void) {
    for (unsigned i = 0; i < CALLS; i++) {
        const double x = some_number(), y = some_number();
        EXACT(ceil);
        EXACT(fabs);
        EXACT(floor);
        EXACT(nearbyint);
        EXACT(rint);
        EXACT(round);
        EXACT(sqrt);
        EXACT(trunc);
        EXACT_OF_TWO(copysign);
        EXACT_OF_TWO(fdim);
        EXACT_OF_TWO(fmax);
        EXACT_OF_TWO(fmin);
        EXACT_OF_TWO(fmod);
        EXACT_OF_TWO(remainder);
        int exponent = 0;
        double whole;
        if (isfinite(x)) put_exactly(frexp(x, &exponent), 53);
        put_exactly(modf(x, &whole), 53);
        put_exactly(whole, 53);
        put_exactly(ldexp(x, (int)(random_word() % 200) - 100), 53);
        put_exactly(scalbn(x, -1000), 53);
        if (fabs(x) < 1e9) printf(" %ld %ld %lld", lround(x), lrint(x), llround(x));
        printf(" %d %d%d%d%d%d\n", exponent, !!isnan(x), isinf(x), !!isfinite(x), !!isnormal(x),
               !!signbit(x));
    }
}

#define NEAR(name, argument)           \
    do {                               \
        printf(#name);                 \
        put_nearly(name(argument));    \
        put_nearly(name##l(argument)); \
        printf("\n");                  \
    } while (0)
#define NEAR_OF_TWO(name, a, b)    \
    do {                           \
        printf(#name);             \
        put_nearly(name(a, b));    \
        put_nearly(name##l(a, b)); \
        printf("\n");              \
    } while (0)

static void nearly(void) {
    for (unsigned i = 0; i < CALLS; i++) {
        const double x = some_number(), y = some_number();
        const double angle = fabs(x) < 1e6 ? x : x != x ? x : 1e6;
        const double unit = fabs(x) <= 1 ? x : 1 / x;
        const double small = fabs(x) < 300 || x != x ? x : 300;
        NEAR(acos, unit);
        NEAR(asin, unit);
        NEAR(atan, x);
        NEAR(cbrt, x);
        NEAR(cos, angle);
        NEAR(cosh, small);
        NEAR(exp, small);
        NEAR(exp2, small);
        NEAR(expm1, small);
        NEAR(log, x);
        NEAR(log10, x);
        NEAR(log1p, x);
        NEAR(log2, x);
        NEAR(sin, angle);
        NEAR(sinh, small);
        NEAR(tan, angle);
        NEAR(tanh, x);
        NEAR_OF_TWO(atan2, x, y);
        NEAR_OF_TWO(hypot, small, y);
        NEAR_OF_TWO(pow, small, unit);
        NEAR_OF_TWO(pow, unit, floor(small));
        NEAR_OF_TWO(pow, x, y);
    }
}

int main(void) {
    exact();
    nearly();
    return finish("calls_math");
}
