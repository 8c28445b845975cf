// SPDX-License-Identifier: MIT
#pragma once

// Delays of the locks that back off, after ALL section 4.3: random about a mean, which grows with
// each failure up to a cap; a processor begins with half the mean it needed the last time, so that
// it neither starts from nothing in a crowd nor stays slow in an empty room.
//
// The paper gives the rules, no numbers: those below are selected (docs/calibration.md), and an
// image may be built with others. backoff-slots.h has those published for Model B.

#include <stdint.h>

#include "cpu.h"
#include "ordering.h"
#include "symsim.h"
#include "turns.h"

// What a delay is counted in.
#ifndef DELAY_UNITS
#define DELAY_UNITS delay_turns
#endif

// Shortest mean: 4 turns, 40 clocks, 2.5 us: under half of a free acquisition with its release.
#ifndef DELAY_LEAST
#define DELAY_LEAST 4
#endif

// After a failure the mean is so many times longer.
#ifndef DELAY_GROWTH
#define DELAY_GROWTH 2
#endif

// Cap: 64 turns, 640 clocks, 40 us: four times a free turn over a small section.
#ifndef DELAY_MOST
#define DELAY_MOST 64
#endif

// A processor's experience; a line each, nobody else looks. All of it is written while waiting,
// nothing while holding the lock: the section does not grow by it. A store goes over the bus and
// takes as long as eight instructions, so there is one for each wait, and one where the mean
// changes.
struct delay_past {
    LINE_ALIGNED unsigned mean;  // what the next wait begins with
    uint32_t random;             // where the last wait's numbers began; 0 before the first wait
};

static struct delay_past delay_pasts[MAX_PROCESSORS];  // by processor number

// One wait in progress, in registers.
struct delay {
    struct delay_past* past;
    unsigned mean;
    uint32_t random;
};

// Where a wait's numbers begin: xorshift as in lib/random.c, about 20 clocks.
static inline __attribute__((always_inline)) uint32_t delay_random(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static inline __attribute__((always_inline)) unsigned delay_half(unsigned mean) {
    return mean >= 2 * DELAY_LEAST ? mean / 2 : DELAY_LEAST;
}

static __attribute__((noinline, unused)) void delay_first(struct delay_past* past) {
    past->random = random_next();
    past->mean = DELAY_LEAST;
}

// Should this wait end without a failure, the next begins with half its mean.
static inline __attribute__((always_inline)) struct delay delay_begin(void) {
    struct delay_past* past = &delay_pasts[this_cpu()->number];
    if (past->random == 0) delay_first(past);
    unsigned mean = past->mean;
    uint32_t random = delay_random(past->random);
    past->random = random;
    if (mean > DELAY_LEAST) past->mean = delay_half(mean);
    return (struct delay){past, mean, random};
}

// The next delay: 1 .. 2 * mean units, each as likely: the upper half of a product, one mull. The
// first number of a wait is followed by those of a linear congruence (Press et al., Numerical
// Recipes in C, 2nd ed., 7.1), which are others than the next wait begins with, and none is stored.
// About 50 clocks, so a delay is drawn before a release is waited for, not after.
static inline __attribute__((always_inline)) unsigned delay_draw(struct delay* delay) {
    unsigned units = ((uint64_t)delay->random * (2 * delay->mean) >> 32) + 1;
    delay->random = delay->random * 1664525 + 1013904223;
    return units;
}

// After a delay that did not lead to the lock: grows, and the next wait begins with half of that.
static inline __attribute__((always_inline)) void delay_failed(struct delay* delay) {
    const unsigned most = DELAY_MOST;
    if (delay->mean >= most) return;
    delay->mean = delay->mean * DELAY_GROWTH < most ? delay->mean * DELAY_GROWTH : most;
    delay->past->mean = delay_half(delay->mean);
}

// Backoff after a release is noticed, on a word that 1 has taken (backoff.h).
static inline __attribute__((always_inline)) void delay_until_taken(volatile unsigned char* word) {
    struct delay delay = delay_begin();
    for (;;) {
        unsigned units = delay_draw(&delay);
        while (*word != 0) {
        }
        DELAY_UNITS(units);
        if (*word == 0 && exchange_byte(word, 1) == 0) return;
        delay_failed(&delay);
    }
}
