// SPDX-License-Identifier: MIT

// Delays of the locks (guest/locks/turns.h, delay.h): each takes the time its name says. The mean
// of the random delays grows up to its cap; the next wait begins from the start.

#include "locks/delay.h"
#include "test.h"

#define TRIES 10000

static uint32_t time_of_turns(void) {
    uint32_t start_us = clock_us();
    delay_turns(1600);
    return clock_us() - start_us;
}

static uint32_t time_of_slots(void) {
    uint32_t start_us = clock_us();
    delay_slots(1000);
    return clock_us() - start_us;
}

// With a constant mean, all delays in 1 .. 2 * mean occur and no others.
static void check_draws(void) {
    struct delay delay = delay_begin();
    delay.mean = DELAY_MOST;
    bool seen[2 * DELAY_MOST + 1] = {false};
    for (unsigned i = 0; i < TRIES; i++) {
        unsigned units = delay_draw(&delay);
        CHECK(units >= 1 && units <= 2 * DELAY_MOST);
        seen[units] = true;
    }
    for (unsigned units = 1; units <= 2 * DELAY_MOST; units++) CHECK(seen[units]);
}

// The mean doubles from DELAY_LEAST to DELAY_MOST. The next wait begins at DELAY_LEAST again.
static void check_means(void) {
    struct delay delay = delay_begin();
    for (unsigned mean = DELAY_LEAST; mean < DELAY_MOST; mean *= 2) {
        CHECK_EQUAL(delay.mean, mean);
        delay_failed(&delay);
    }
    CHECK_EQUAL(delay.mean, DELAY_MOST);
    delay_failed(&delay);
    CHECK_EQUAL(delay.mean, DELAY_MOST);
    CHECK_EQUAL(delay_begin().mean, DELAY_LEAST);
}

int main(void) {
    CHECK(time_of_turns() / 10 == 100);  // 1000 us, and a few more for the calls
    CHECK(time_of_slots() / 10 == 100);
    check_draws();
    check_means();
    return 0;
}
