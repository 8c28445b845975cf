// SPDX-License-Identifier: MIT
#pragma once

// Random delays of the locks with backoff, after ALL section 4.3. The mean delay grows with each
// failure up to a cap. The next wait begins with half the mean that the last one reached: not too
// short under contention, not too long without.
//
// The paper gives these rules, but no numbers. The values below are selected (see calibration.md);
// an image may be built with others. backoff-slots.h has those published for Model B.

#include <stdint.h>

#include "cpu.h"
#include "ordering.h"
#include "symsim.h"
#include "turns.h"

// The function that waits for so many units of delay.
#ifndef DELAY_UNITS
#define DELAY_UNITS delay_turns
#endif

// Shortest mean: 4 iterations, 40 clocks, 2.5 us: under half of a free acquisition and release.
#ifndef DELAY_LEAST
#define DELAY_LEAST 4
#endif

// A failure multiplies the mean by this factor.
#ifndef DELAY_GROWTH
#define DELAY_GROWTH 2
#endif

// Cap of the mean: 64 iterations, 640 clocks, 40 us: four uncontended passes of a small section.
#ifndef DELAY_MOST
#define DELAY_MOST 64
#endif

// What a processor keeps from one wait to the next, in a line of its own: one memory for all locks
// with backoff, whichever file uses them (lib/delay_pasts.c): a processor waits for one lock at a
// time. It is written only while waiting, never while the lock is held, so the section does not
// become longer. A store is a bus write and takes as long as eight instructions. So there is one
// store per wait, and one per change of the mean.
struct delay_past {
    LINE_ALIGNED unsigned mean;  // mean with which the next wait begins
    uint32_t random;  // random number it began with; 0 before the first wait
};

extern struct delay_past delay_pasts[MAX_PROCESSORS];  // indexed by processor

// A wait in progress, kept in registers.
struct delay {
    struct delay_past* past;
    unsigned mean;
    uint32_t random;
};

// The random number with which a wait begins: xorshift as in lib/random.c, about 20 clocks.
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

// If this wait ends without a failure, the next one begins with half its mean.
static inline __attribute__((always_inline)) struct delay delay_begin(void) {
    struct delay_past* past = &delay_pasts[this_cpu()->number];
    if (past->random == 0) delay_first(past);
    unsigned mean = past->mean;
    uint32_t random = delay_random(past->random);
    past->random = random;
    if (mean > DELAY_LEAST) past->mean = delay_half(mean);
    return (struct delay){past, mean, random};
}

// The next delay, uniform in 1 .. 2 * mean units: the upper half of a product, one mull. Later
// numbers of a wait come from a linear congruence (Press et al., Numerical Recipes in C, 2nd ed.,
// 7.1). So they differ from those with which waits begin, and no store is needed. A draw takes
// about 50 clocks; it is made before the release is awaited, not after it.
static inline __attribute__((always_inline)) unsigned delay_draw(struct delay* delay) {
    unsigned units = ((uint64_t)delay->random * (2 * delay->mean) >> 32) + 1;
    delay->random = delay->random * 1664525 + 1013904223;
    return units;
}

// A delay has not led to the lock: the mean grows; the next wait begins with half of it.
static inline __attribute__((always_inline)) void delay_failed(struct delay* delay) {
    const unsigned most = DELAY_MOST;
    if (delay->mean >= most) return;
    delay->mean = delay->mean * DELAY_GROWTH < most ? delay->mean * DELAY_GROWTH : most;
    delay->past->mean = delay_half(delay->mean);
}

// The waiting loop of backoff.h: delays after each release that it sees; acquires by writing 1.
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
