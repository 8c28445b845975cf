// SPDX-License-Identifier: MIT
#pragma once

// Random delays of the locks with backoff that are written in C; those of backoff.h in assembler
// follow the same rule. The mean delay doubles with each failure of an acquisition up to a cap.
// slots.h has the values published for Model B.

#include <stdint.h>

#include "cpu.h"
#include "delay-limits.h"
#include "ordering.h"
#include "symsim.h"
#include "turns.h"

// The function that waits for so many units of delay.
#ifndef DELAY_UNITS
#define DELAY_UNITS delay_turns
#endif

// A wait in progress, kept in registers.
struct delay {
    unsigned mean;
    uint32_t random;
};

// The random number begins with the clock, and with the address of the processor's own memory.
static inline __attribute__((always_inline)) struct delay delay_begin(void) {
    return (struct delay){DELAY_LEAST, read_register(BOARD_CLOCK_US) + (uintptr_t)this_cpu()};
}

// The next delay, uniform in 1 .. 2 * mean units: the upper half of a product, one mull. A draw
// takes about 70 clocks; it is made before the release is awaited, not after it.
static inline __attribute__((always_inline)) unsigned delay_draw(struct delay* delay) {
    delay->random = delay->random * 1664525 + 1013904223;
    return ((uint64_t)delay->random * (2 * delay->mean) >> 32) + 1;
}

// A delay has not led to the lock.
static inline __attribute__((always_inline)) void delay_failed(struct delay* delay) {
    const unsigned most = DELAY_MOST;
    delay->mean = delay->mean < most / 2 ? 2 * delay->mean : most;
}

// Delays after each release that it sees, as backoff.h does; acquires by writing 1.
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
