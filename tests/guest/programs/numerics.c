// SPDX-License-Identifier: MIT

// Numerics in float, double and long double. Each part checks itself; results are printed as bits.

#include <math.h>
#include <string.h>

#include "check.h"

static void show(const char* name, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    mix64(bits);
    printf("%-24s %016llx %.12g\n", name, (unsigned long long)bits, value);
}

static void show_extended(const char* name, long double value) {
    unsigned char bytes[10];
    memcpy(bytes, &value, sizeof bytes);
    printf("%-24s ", name);
    for (int i = 9; i >= 0; i--) {
        mix(bytes[i]);
        printf("%02x", bytes[i]);
    }
    printf(" %.15Lg\n", value);
}

// ---- bodies that attract each other: energy and momentum must be conserved ----

#define BODIES 4
struct body {
    double x[3], v[3], mass;
};

static struct body bodies[BODIES] = {
    {{0, 0, 0}, {0, 0, 0}, 1000},
    {{10, 0, 0}, {0, 10, 0.5}, 1},
    {{-20, 1, 0}, {0.5, -7, 0}, 2},
    {{0, 30, -3}, {5.5, 0, 0.25}, 0.5},
};

static double energy(void) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        const struct body* a = &bodies[i];
        sum += a->mass * (a->v[0] * a->v[0] + a->v[1] * a->v[1] + a->v[2] * a->v[2]) / 2;
        for (int j = i + 1; j < BODIES; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                double d = a->x[k] - bodies[j].x[k];
                square += d * d;
            }
            sum -= a->mass * bodies[j].mass / sqrt(square);
        }
    }
    return sum;
}

static void step(double dt) {
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            double d[3], square = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = bodies[i].x[k] - bodies[j].x[k];
                square += d[k] * d[k];
            }
            double pull = dt / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                bodies[i].v[k] -= d[k] * bodies[j].mass * pull;
                bodies[j].v[k] += d[k] * bodies[i].mass * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) bodies[i].x[k] += dt * bodies[i].v[k];
}

static void many_bodies(void) {
    double before = energy();
    for (int i = 0; i < 150; i++) step(0.01);
    double after = energy();
    show("energy", after);
    REQUIRE(fabs(after - before) < 0.01 * fabs(before));
    for (int i = 0; i < BODIES; i++) show("position", bodies[i].x[0]);
}

// ---- linear equations by elimination; the residual must be small ----

#define N 10

static double random_fraction(void) {
    return (double)random_word() / 4294967296.0 - 0.5;
}

#define SOLVE(type, name)                                                 \
    static type name(type a[N][N], type b[N], type x[N]) {                \
        type m[N][N + 1];                                                 \
        for (int i = 0; i < N; i++) {                                     \
            for (int j = 0; j < N; j++) m[i][j] = a[i][j];                \
            m[i][N] = b[i];                                               \
        }                                                                 \
        for (int c = 0; c < N; c++) {                                     \
            int pivot = c;                                                \
            for (int i = c; i < N; i++)                                   \
                if (fabsl(m[i][c]) > fabsl(m[pivot][c])) pivot = i;       \
            for (int j = 0; j <= N; j++) {                                \
                type t = m[c][j];                                         \
                m[c][j] = m[pivot][j];                                    \
                m[pivot][j] = t;                                          \
            }                                                             \
            for (int i = c + 1; i < N; i++) {                             \
                type factor = m[i][c] / m[c][c];                          \
                for (int j = c; j <= N; j++) m[i][j] -= factor * m[c][j]; \
            }                                                             \
        }                                                                 \
        for (int i = N; i-- > 0;) {                                       \
            type sum = m[i][N];                                           \
            for (int j = i + 1; j < N; j++) sum -= m[i][j] * x[j];        \
            x[i] = sum / m[i][i];                                         \
        }                                                                 \
        type worst = 0;                                                   \
        for (int i = 0; i < N; i++) {                                     \
            type sum = b[i];                                              \
            for (int j = 0; j < N; j++) sum -= a[i][j] * x[j];            \
            if (fabsl(sum) > worst) worst = (type)fabsl(sum);             \
        }                                                                 \
        return worst;                                                     \
    }

SOLVE(float, solve_float)
SOLVE(double, solve_double)
SOLVE(long double, solve_long_double)

static void equations(void) {
    static float af[N][N], bf[N], xf[N];
    static double ad[N][N], bd[N], xd[N];
    static long double al[N][N], bl[N], xl[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            af[i][j] = (float)random_fraction();
            ad[i][j] = al[i][j] = af[i][j];
        }
        bf[i] = (float)random_fraction();
        bd[i] = bl[i] = bf[i];
    }
    REQUIRE(solve_float(af, bf, xf) < 1e-4f);
    REQUIRE(solve_double(ad, bd, xd) < 1e-13);
    REQUIRE(solve_long_double(al, bl, xl) < 1e-16L);
    for (int i = 0; i < N; i++) {
        REQUIRE(fabs(xf[i] - xd[i]) < 1e-2);
        REQUIRE(fabsl(xd[i] - xl[i]) < 1e-10L);
    }
    show("float", xf[3]);
    show("double", xd[3]);
    show_extended("long double", xl[3]);
}

// ---- Fourier transform and its inverse; factors computed by half-angle formulas with sqrt ----

#define POINTS 64

static void transform(double* re, double* im, int direction) {
    for (int i = 1, j = 0; i < POINTS; i++) {
        int bit = POINTS / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j |= bit;
        if (i >= j) continue;
        double r = re[i], m = im[i];
        re[i] = re[j], im[i] = im[j];
        re[j] = r, im[j] = m;
    }
    double cosine = -1, sine = 0;  // of pi, then pi / 2, ...
    for (int half = 1; half < POINTS; half *= 2) {
        double wr = 1, wi = 0;
        for (int k = 0; k < half; k++) {
            for (int i = k; i < POINTS; i += 2 * half) {
                int j = i + half;
                double r = re[j] * wr - im[j] * wi, m = re[j] * wi + im[j] * wr;
                re[j] = re[i] - r, im[j] = im[i] - m;
                re[i] += r, im[i] += m;
            }
            double next = wr * cosine - wi * sine * direction;
            wi = wr * sine * direction + wi * cosine;
            wr = next;
        }
        sine = sqrt((1 - cosine) / 2);
        cosine = sqrt((1 + cosine) / 2);
    }
}

static void waves(void) {
    static double re[POINTS], im[POINTS], original[POINTS];
    double power = 0, power_transformed = 0;
    for (int i = 0; i < POINTS; i++) {
        original[i] = re[i] = random_fraction();
        power += re[i] * re[i];
    }
    transform(re, im, 1);
    for (int i = 0; i < POINTS; i++) power_transformed += re[i] * re[i] + im[i] * im[i];
    REQUIRE(fabs(power_transformed / POINTS - power) < 1e-12);
    show("wave", re[5]);
    show("wave", im[5]);
    transform(re, im, -1);
    for (int i = 0; i < POINTS; i++) REQUIRE(fabs(re[i] / POINTS - original[i]) < 1e-13);
}

// ---- pi and e, correct up to the last one or two bits of a long double ----

static void constants(void) {
    long double sum = 0, power = 1, power_large = 1.0L / 239;
    power /= 5;
    for (int i = 0; i < 30; i++) {  // Machin: pi / 4 = 4 atan(1/5) - atan(1/239)
        long double term = (4 * power - power_large) / (2 * i + 1);
        sum += i % 2 == 0 ? term : -term;
        power /= 25;
        power_large /= 239 * 239;
    }
    REQUIRE(fabsl(4 * sum - 3.14159265358979323846264L) < 1e-18L);
    show_extended("pi", 4 * sum);
    long double e = 1, term = 1;
    for (int i = 1; i < 30; i++) e += term /= i;
    REQUIRE(fabsl(e - 2.71828182845904523536029L) < 1e-18L);
    show_extended("e", e);
}

// ---- conversions between all types ----

static void conversions(void) {
    static const double values[] = {0.0, 0.5, 1.5, -1.5, 1e9, -1e9, 2147483647.0, 1e15, 123456.789};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        volatile double v = values[i];
        volatile float f = (float)v;
        mix((uint32_t)(int)v);
        mix64((uint64_t)(long long)v);
        mix64((uint64_t)(long long)f);
        mix((uint32_t)(short)(int)(v / 1e6));
        if (v >= 0) mix64((uint64_t)v);
        if (v >= 0 && v < 4294967296.0) mix((uint32_t)v);
        show("float", f);
    }
    volatile uint64_t large = 0xFFFFFFFFFFFFF800, halfway = 0x8000000000000400;
    volatile double converted = (double)large;
    REQUIRE((uint64_t)converted == large);
    show("uint64", (double)halfway);
    volatile float single = (float)halfway;
    show("uint64 float", single);
    volatile int64_t negative = -0x7FFFFFFFFFFFFFFF;
    show("int64", (double)negative);
    show_extended("int64", negative);
    volatile unsigned word = 0xFFFFFFFF;
    show("unsigned", word);
}

int main(void) {
    many_bodies();
    equations();
    waves();
    constants();
    conversions();
    return finish("numerics");
}
