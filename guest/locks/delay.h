// SPDX-License-Identifier: MIT
#pragma once

// Delays of the locks that back off, after ALL section 4.3: random about a mean, which doubles with
// each failure up to a cap; a processor begins with half the mean it needed the last time, so that
// it neither starts from nothing in a crowd nor stays slow in an empty room.
//
// The paper gives the rules, no numbers: those below are ours. The unit is one turn of delay(),
//
//     decl  2 clocks, jnz taken 7 + 1 clocks (hardware.md section 2: m = 1, decl has one component)
//
// 10 clocks or 0.625 us at 16 MHz, without the refilling of the prefetch queue.

#include <stdint.h>

#include "cpu.h"
#include "ordering.h"
#include "symsim.h"

#define DELAY_TURN_CLOCKS 10

// Shortest mean: 4 turns, 40 clocks, 2.5 us: under half of a free acquisition with its release.
#ifndef DELAY_MEAN_LEAST_TURNS
#define DELAY_MEAN_LEAST_TURNS 4
#endif

// Cap: 512 turns, 5120 clocks, 320 us: somewhat over 20 processors with a section of 10 us each.
#ifndef DELAY_MEAN_MOST_TURNS
#define DELAY_MEAN_MOST_TURNS 512
#endif

#define DELAY_IS_POWER_OF_TWO(x) (((x) & ((x)-1)) == 0)
_Static_assert(DELAY_IS_POWER_OF_TWO(DELAY_MEAN_LEAST_TURNS), "delay_once draws by masking");
_Static_assert(DELAY_IS_POWER_OF_TWO(DELAY_MEAN_MOST_TURNS), "delay_once draws by masking");
_Static_assert(DELAY_MEAN_LEAST_TURNS <= DELAY_MEAN_MOST_TURNS, "there is a mean to choose");

// A processor's experience; a line each, nobody else looks. All of it is written while waiting,
// nothing while holding the lock: the section does not grow by it. Two stores at the beginning of a
// wait and one per failure below the cap.
struct delay_past {
    LINE_ALIGNED unsigned mean_turns;  // what the next wait begins with
    uint32_t random;                   // what the last wait began with; 0 before the first
};

static struct delay_past delay_pasts[MAX_PROCESSORS];  // by processor number

// One wait in progress, in registers.
struct delay {
    struct delay_past* past;
    unsigned mean_turns;
    uint32_t random;
};

// Xorshift as in lib/random.c: about 20 clocks.
static inline __attribute__((always_inline)) uint32_t delay_random(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

// Should this wait end without a failure, the next begins with half its mean. Multiplying by
// 2^32 / the golden ratio moves each wait to a far place of the generator's sequence.
static inline __attribute__((always_inline)) struct delay delay_begin(void) {
    struct delay_past* past = &delay_pasts[this_cpu()->number];
    uint32_t x = past->random;
    if (x == 0) {
        x = random_next();
        past->mean_turns = DELAY_MEAN_LEAST_TURNS;
    }
    past->random = delay_random(x);
    unsigned mean_turns = past->mean_turns;
    if (mean_turns > DELAY_MEAN_LEAST_TURNS) past->mean_turns = mean_turns / 2;
    return (struct delay){past, mean_turns, x * 0x9E3779B1};
}

// Waits 1 .. 2 * mean turns, each as likely.
static inline __attribute__((always_inline)) void delay_once(struct delay* delay) {
    delay->random = delay_random(delay->random);
    unsigned turns = (delay->random & (2 * delay->mean_turns - 1)) + 1;
    __asm__ volatile(
        "1: decl %0\n\t"
        "jnz 1b"
        : "+r"(turns)
        :
        : "cc");
}

// After a delay that did not lead to the lock: doubles, and the next wait begins with half of that.
static inline __attribute__((always_inline)) void delay_failed(struct delay* delay) {
    if (delay->mean_turns < DELAY_MEAN_MOST_TURNS) {
        delay->past->mean_turns = delay->mean_turns;
        delay->mean_turns *= 2;
    }
}
