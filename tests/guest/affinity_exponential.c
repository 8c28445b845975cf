// SPDX-License-Identifier: MIT

// Exponential ageing keeps the order of two threads (Steckermeier & Bellosa 1995, Figure 7 and
// Equation 4, claim MTH-24): with K = 2 and a = 0.25, the two threads of Figure 6 have 4 and 16
// units at 80, and the second is higher from then on. The function compares as the aged times do at
// any moment.

#define SYMSIM_AFFINITY_FILE "threads/affinity/exponential.h"
#include "math.h"
#include "test.h"
#include "threads/affinity.h"

#define UNIT 1000  // us
#define HALF (4 * UNIT)
#define PAIRS 300

static double exact(const struct affinity* thread, uint32_t now_us) {
    return thread->ran_us * exp2(-((double)now_us - thread->stopped_us) / HALF);
}

static void check_figure_7(void) {
    const struct affinity first = {64 * UNIT, 64 * UNIT}, second = {16 * UNIT, 80 * UNIT};
    CHECK_EQUAL((aged(first.ran_us, 16 * UNIT) + (1u << 30)) >> 31, 4 * UNIT);
    CHECK_EQUAL(aged(second.ran_us, 0) >> 31, 16 * UNIT);
    CHECK(aff_greater(&second, &first, NULL));
    CHECK(!aff_greater(&first, &second, NULL));
    for (uint32_t now_us = 80 * UNIT; now_us < 200 * UNIT; now_us += UNIT)
        CHECK(aged(second.ran_us, now_us - second.stopped_us) >=
              aged(first.ran_us, now_us - first.stopped_us));
}

static void check_random_pairs(void) {
    for (unsigned i = 0; i < PAIRS; i++) {
        const struct affinity one = {1 + random_below(100 * UNIT), random_below(40 * UNIT)};
        const struct affinity other = {1 + random_below(100 * UNIT), random_below(40 * UNIT)};
        const double at_40 = exact(&one, 40 * UNIT) / exact(&other, 40 * UNIT);
        if (fabs(at_40 - 1) < 1e-4) continue;  // too near for the table
        CHECK(aff_greater(&one, &other, NULL) == (at_40 > 1));
        CHECK((exact(&one, 90 * UNIT) > exact(&other, 90 * UNIT)) == (at_40 > 1));
    }
}

int main(void) {
    exponential_setup(HALF);
    check_figure_7();
    check_random_pairs();
    return 0;
}
