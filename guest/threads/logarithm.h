// SPDX-License-Identifier: MIT
#pragma once

// Logarithms of base 2 in fixed point, made as power_of_half.h. With 256 steps the interpolation is
// wrong by at most log2(e) / 8 / 256^2, 3e-6.

#include <stdint.h>

#include "math.h"

#define LOGARITHM_STEPS 256

static uint32_t logarithm_table[LOGARITHM_STEPS + 1];  // log2(1 + i/256), in 2^-26

static void logarithm_setup(void) {
    for (unsigned i = 0; i <= LOGARITHM_STEPS; i++)
        logarithm_table[i] = (uint32_t)(log2(1 + (double)i / LOGARITHM_STEPS) * 67108864.0 + 0.5);
}

// log2 x in 2^-26; x at least 1.
static uint32_t logarithm(uint32_t x) {
    const unsigned whole = 31 - (unsigned)__builtin_clz(x);
    const uint32_t fraction = x << (31 - whole) << 1;  // of the mantissa
    const uint32_t* step = &logarithm_table[fraction >> 24];
    const uint32_t rise = step[1] - step[0];
    return (whole << 26) + step[0] + (uint32_t)((uint64_t)rise * (fraction & 0xffffff) >> 24);
}
