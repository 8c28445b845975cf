// SPDX-License-Identifier: MIT

// Random numbers: the same in every run with the same seed, a different sequence for each
// processor, all in range. random.expect has the first number of processor 0 for seed 1.

#include "cpu.h"
#include "test.h"

#define DRAWS 64

static uint32_t drawn[MAX_PROCESSORS][DRAWS];

static void draw(unsigned cpu, void* unused) {
    (void)unused;
    for (unsigned i = 0; i < DRAWS; i++) drawn[cpu][i] = random_next();
}

static void check_apart(unsigned a, unsigned b) {
    unsigned equal = 0;
    for (unsigned i = 0; i < DRAWS; i++)
        if (drawn[a][i] == drawn[b][i]) equal++;
    CHECK_EQUAL(equal, 0);
}

// 1000 draws below 10: each digit occurs 100 times on average, with a standard deviation of 9.5.
// The bounds are more than five standard deviations away.
static void check_spread(void) {
    unsigned counts[10] = {0};
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t value = random_below(10);
        CHECK(value < 10);
        counts[value]++;
    }
    for (unsigned i = 0; i < 10; i++) CHECK(counts[i] > 50 && counts[i] < 150);
}

int main(void) {
    run_on_all(draw, NULL);
    for (unsigned a = 0; a < processors(); a++)
        for (unsigned b = 0; b < a; b++) check_apart(a, b);
    check_spread();
    CHECK_EQUAL(random_below(1), 0);
    report("first", drawn[0][0]);
    return 0;
}
