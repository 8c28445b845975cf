// SPDX-License-Identifier: MIT

// math.h. Exact results are printed in full; sines and similar functions with 14 digits, which any
// good library gets right however it rounds the last bit.

#include <math.h>

#include "check.h"

static const double points[] = {0.0, 0.5,  -0.5, 1.0,  -1.0,   1.5,       2.5,  -2.5, 0.1,
                                3.0, 10.0, -7.3, 1e-5, 100.25, 12345.678, -1e6, 0.75, 0.999};
#define POINTS (sizeof points / sizeof *points)

typedef double unary(double);
typedef double binary(double, double);

struct named {
    const char* name;
    unary* function;
    double from, to;  // where it is defined
};

#define EVERYWHERE -1e300, 1e300

static const struct named exact[] = {
    {"fabs", fabs, EVERYWHERE},   {"floor", floor, EVERYWHERE}, {"ceil", ceil, EVERYWHERE},
    {"trunc", trunc, EVERYWHERE}, {"round", round, EVERYWHERE}, {"rint", rint, EVERYWHERE},
    {"sqrt", sqrt, 0, 1e300},
};

static const struct named inexact[] = {
    {"sin", sin, EVERYWHERE},    {"cos", cos, EVERYWHERE},    {"tan", tan, EVERYWHERE},
    {"asin", asin, -1, 1},       {"acos", acos, -1, 1},       {"atan", atan, EVERYWHERE},
    {"exp", exp, -700, 700},     {"exp2", exp2, -1000, 1000}, {"expm1", expm1, -700, 700},
    {"log", log, 1e-9, 1e9},     {"log2", log2, 1e-9, 1e9},   {"log10", log10, 1e-9, 1e9},
    {"log1p", log1p, -0.9, 1e9}, {"sinh", sinh, -700, 700},   {"cosh", cosh, -700, 700},
    {"tanh", tanh, EVERYWHERE},  {"cbrt", cbrt, EVERYWHERE},
};

static void show(const char* name, const char* format, double value) {
    char text[60];
    snprintf(text, sizeof text, format, value + 0.0);
    for (const char* c = text; *c != '\0'; c++) mix((unsigned char)*c);
    printf("%-10s %s\n", name, text);
}

static void show_all(const struct named* functions, unsigned count, const char* format) {
    for (unsigned f = 0; f < count; f++)
        for (unsigned i = 0; i < POINTS; i++)
            if (points[i] >= functions[f].from && points[i] <= functions[f].to)
                show(functions[f].name, format, functions[f].function(points[i]));
}

static void show_pairs(void) {
    for (unsigned i = 0; i < POINTS; i++) {
        double x = points[i], y = points[(i * 7 + 3) % POINTS];
        if (y != 0) show("fmod", "%.17g", fmod(x, y));
        if (y != 0) show("remainder", "%.17g", remainder(x, y));
        show("fmax", "%.17g", fmax(x, y));
        show("fmin", "%.17g", fmin(x, y));
        show("fdim", "%.17g", fdim(x, y));
        show("copysign", "%.17g", copysign(x, y));
        show("atan2", "%.14g", atan2(x, y));
        show("hypot", "%.14g", hypot(x, y));
        if (fabs(y) < 30) show("pow", "%.14g", pow(fabs(x) + 0.25, y));
    }
    show("fmod", "%.17g", fmod(1e300, 3.7));
}

static void show_powers(void) {
    static const double pairs[][2] = {{2, 10},    {2, -3},     {-2, 3},    {-2, 4},    {0, 5},
                                      {0, 0},     {10, 22},    {10, -5},   {1.5, 100}, {9, 0.5},
                                      {1e10, 30}, {1e10, -30}, {-1, 1e15}, {3, 40}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        show("pow", "%.14g", pow(pairs[i][0], pairs[i][1]));
    REQUIRE(pow(2, 62) == 4611686018427387904.0);
    REQUIRE(pow(7, 18) == 1628413597910449.0);
    REQUIRE(isnan(pow(-8, 1.0 / 3)));
    REQUIRE(isinf(pow(10, 400)));
    REQUIRE(pow(10, -400) == 0);
    REQUIRE(cbrt(27) == 3 && cbrt(-1000) == -10);
    REQUIRE(isinf(exp(1000)) && exp(-1000) == 0 && exp(0) == 1);
    REQUIRE(hypot(3, 4) == 5 && isinf(hypot(INFINITY, NAN)));
}

static void show_parts(void) {
    for (unsigned i = 0; i < POINTS; i++) {
        int exponent;
        double whole, fraction = modf(points[i], &whole), mantissa = frexp(points[i], &exponent);
        REQUIRE(ldexp(mantissa, exponent) == points[i]);
        REQUIRE(whole + fraction == points[i]);
        show("frexp", "%.17g", mantissa);
        show("modf", "%.17g", fraction);
        printf("%d %ld %ld\n", exponent, lround(points[i]), lrint(points[i]));
    }
    show("ldexp", "%.17g", ldexp(1.0, -1074));
    show("ldexp", "%.17g", ldexp(0.75, 1024));
    show("ldexp", "%.17g", ldexp(1.0, 5000));
}

static void show_relations(void) {
    for (int i = 0; i < 50; i++) {
        double x = (double)random_word() / 1e9 + 1e-3;
        double s = sin(x), c = cos(x);
        REQUIRE(fabs(s * s + c * c - 1) < 1e-15);
        REQUIRE(fabs(exp(log(x)) - x) < 1e-14 * x);
        REQUIRE(fabs(tan(atan(x)) - x) < 1e-13 * (1 + x * x));
        REQUIRE(fabs(sqrt(x) * sqrt(x) - x) < 1e-15 * x);
        REQUIRE(fabs(sin(asin(1 / (1 + x))) - 1 / (1 + x)) < 1e-15);
    }
    REQUIRE(sqrtf(2.0f) * 1.0f == 1.41421356237309504880f);
    REQUIRE(fabsl(sinl(0.5L) - 0.479425538604203000273L) < 1e-18L);
    REQUIRE(signbit(-0.0) && signbit(floor(-0.0)) && signbit(round(-0.3)));
}

int main(void) {
    show_all(exact, sizeof exact / sizeof *exact, "%.17g");
    show_all(inexact, sizeof inexact / sizeof *inexact, "%.14g");
    show_pairs();
    show_powers();
    show_parts();
    show_relations();
    return finish("math");
}
