// SPDX-License-Identifier: MIT

// The generator that POSIX defines for these functions: 48 bits, of which each uses the upper ones.

#include <stdint.h>

#include "stdlib.h"

#define MASK (((uint64_t)1 << 48) - 1)

static uint64_t state;

static uint64_t next(void) {
    state = (state * 0x5DEECE66D + 0xB) & MASK;
    return state;
}

void srand48(long seed) {
    state = (uint64_t)(uint32_t)seed << 16 | 0x330E;
}

double drand48(void) {
    return (double)next() / (double)(MASK + 1);
}

long lrand48(void) {
    return (long)(next() >> 17);
}

long mrand48(void) {
    return (long)(int32_t)(next() >> 16);
}
