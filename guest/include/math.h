// SPDX-License-Identifier: MIT
#pragma once

// Computed by the coprocessor and then rounded from its 64-bit significand to the type. Results of
// type double are within one unit in the last place and usually exact; those of sin, cos and tan
// for angles up to 3.3e9. errno is not set.

#define HUGE_VAL (__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) (__builtin_signbit(x) != 0)

// Each function exists for three types, as in C: sin, sinf, sinl.
#define SYMSIM_UNARY(name)  \
    double name(double x);  \
    float name##f(float x); \
    long double name##l(long double x);
#define SYMSIM_BINARY(name)          \
    double name(double x, double y); \
    float name##f(float x, float y); \
    long double name##l(long double x, long double y);

SYMSIM_UNARY(acos)
SYMSIM_UNARY(asin)
SYMSIM_UNARY(atan)
SYMSIM_UNARY(cbrt)
SYMSIM_UNARY(ceil)
SYMSIM_UNARY(cos)
SYMSIM_UNARY(cosh)
SYMSIM_UNARY(exp)
SYMSIM_UNARY(exp2)
SYMSIM_UNARY(expm1)
SYMSIM_UNARY(fabs)
SYMSIM_UNARY(floor)
SYMSIM_UNARY(log)
SYMSIM_UNARY(log10)
SYMSIM_UNARY(log1p)
SYMSIM_UNARY(log2)
SYMSIM_UNARY(nearbyint)
SYMSIM_UNARY(rint)
SYMSIM_UNARY(round)
SYMSIM_UNARY(sin)
SYMSIM_UNARY(sinh)
SYMSIM_UNARY(sqrt)
SYMSIM_UNARY(tan)
SYMSIM_UNARY(tanh)
SYMSIM_UNARY(trunc)
SYMSIM_BINARY(atan2)
SYMSIM_BINARY(copysign)
SYMSIM_BINARY(fdim)
SYMSIM_BINARY(fmax)
SYMSIM_BINARY(fmin)
SYMSIM_BINARY(fmod)
SYMSIM_BINARY(hypot)
SYMSIM_BINARY(pow)
SYMSIM_BINARY(remainder)

#undef SYMSIM_UNARY
#undef SYMSIM_BINARY

double frexp(double x, int* exponent);
float frexpf(float x, int* exponent);
long double frexpl(long double x, int* exponent);
double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);
long double ldexpl(long double x, int exponent);
double scalbn(double x, int exponent);
float scalbnf(float x, int exponent);
long double scalbnl(long double x, int exponent);
double modf(double x, double* whole);
float modff(float x, float* whole);
long double modfl(long double x, long double* whole);
long lround(double x);
long lrint(double x);
long long llround(double x);
void sincos(double x, double* sine, double* cosine);
void sincosf(float x, float* sine, float* cosine);
void sincosl(long double x, long double* sine, long double* cosine);
