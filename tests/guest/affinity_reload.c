// SPDX-License-Identifier: MIT

// The fixed-point arithmetic of the affinity model Reload (guest/threads/reload_transient.h)
// against Equations 7, 9 and 10 of Steckermeier & Bellosa (1995) in floating point, within 1 % or a
// tenth of a line or miss (claims MTH-19 to MTH-21); Equations 7 and 9 against a cache that misses
// at random; and the counterexample to Equation 11 (MTH-22).

#include "math.h"
#include "symsim.h"
#include "test.h"
#include "threads/reload_transient.h"

#define CACHE 256
#define TRIALS 60

static double in_lines(uint32_t fixed) {
    return fixed / 256.0;
}

static uint32_t fixed_lines(double lines) {
    return (uint32_t)(lines * 256 + 0.5);
}

static void check_near(double value, double exact, const char* what, unsigned n) {
    if (fabs(value - exact) > 0.1 + 0.01 * exact)
        panic("%s after %u misses: %d thousandths, expected %d", what, n, (int)(value * 1000),
              (int)(exact * 1000));
}

static void check_equations(unsigned lines) {
    static const double shares[] = {0, 0.01, 0.2, 0.5, 0.9, 0.99};
    static const double misses[] = {0, 0.001, 0.01, 0.1, 0.5, 1, 2, 5, 12};  // of the lines
    reload_setup(lines);
    const double k = (lines - 1.0) / lines;
    for (unsigned s = 0; s < sizeof shares / sizeof *shares; s++)
        for (unsigned m = 0; m < sizeof misses / sizeof *misses; m++) {
            const double i = floor(shares[s] * lines);
            const unsigned n = (unsigned)(misses[m] * lines);
            const double kept = pow(k, n);
            check_near(in_lines(lines_held(fixed_lines(i), n)), lines - (lines - i) * kept, "held",
                       n);
            check_near(in_lines(lines_left(fixed_lines(i), n)), i * kept, "left", n);
            check_near(in_lines(reload_misses(fixed_lines(i), n)),
                       log((lines - i) / (lines - kept * i)) / log(k), "reload", n);
        }
}

// Equation 10 is Equation 7 solved for n: the misses of the transient lead back to the footprint.
static void check_inverse(void) {
    reload_setup(4096);
    for (unsigned footprint = 100; footprint <= 4000; footprint += 300) {
        const uint32_t left = lines_left(fixed_lines(footprint), 1500);
        const unsigned transient = (reload_misses(fixed_lines(footprint), 1500) + 128) >> 8;
        check_near(in_lines(lines_held(left, transient)), footprint, "back", transient);
    }
}

// A direct-mapped cache in which each miss falls on any line. Means of TRIALS runs.
static void check_monte_carlo(unsigned begin, unsigned misses, bool foreign) {
    static bool owned[CACHE];
    unsigned sum = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        for (unsigned i = 0; i < CACHE; i++) owned[i] = i < begin;
        for (unsigned i = 0; i < misses; i++) owned[random_below(CACHE)] = !foreign;
        for (unsigned i = 0; i < CACHE; i++) sum += owned[i];
    }
    reload_setup(CACHE);
    const uint32_t lines = fixed_lines(begin);
    const double mean = (double)sum / TRIALS;
    const double model = in_lines(foreign ? lines_left(lines, misses) : lines_held(lines, misses));
    // The mean of 60 runs is within 2 lines: a run deviates by at most sqrt(256) / 2 = 8.
    if (fabs(mean - model) > 2)
        panic("%u misses from %u lines: the mean is %d thousandths, the model %d", misses, begin,
              (int)(mean * 1000), (int)(model * 1000));
}

// MTH-22: 900 lines that have just stopped, and 500 of which 100 are left. The order turns.
static void check_counterexample(void) {
    reload_setup(1000);
    const uint32_t first = fixed_lines(900), second = fixed_lines(500);
    unsigned gone = 0;  // foreign misses after which 100 of 500 lines are left
    while (lines_left(second, gone) > fixed_lines(100)) gone++;
    CHECK_EQUAL(reload_misses(first, 0), 0);
    CHECK((reload_misses(second, gone) + 128) >> 8 == 588);
    CHECK(reload_misses(first, 90) < reload_misses(second, gone + 90));
    CHECK(reload_misses(first, 100) > reload_misses(second, gone + 100));
    CHECK((reload_misses(first, 200) + 128) >> 8 == 967);
    CHECK((reload_misses(second, gone + 200) + 128) >> 8 == 607);
}

int main(void) {
    check_equations(256);
    check_equations(1000);
    check_equations(4096);
    check_equations(65536);
    check_inverse();
    check_monte_carlo(0, 200, false);
    check_monte_carlo(100, 300, false);
    check_monte_carlo(200, 100, true);
    check_monte_carlo(256, 400, true);
    check_counterexample();
    return 0;
}
