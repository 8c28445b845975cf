// SPDX-License-Identifier: MIT
#pragma once

// Powers of 1/2 in fixed point, from a table with linear interpolation: two multiplications, and no
// 80387, which a thread may be using. The table is made before threads run. With 256 steps the
// interpolation is wrong by at most ln(2)^2 / 8 / 256^2 of the power, 1e-6.

#include <stdint.h>

#include "math.h"

#define POWER_STEPS 256

static uint32_t power_table[POWER_STEPS + 1];  // 2^-(i/256), in 2^-31

static void power_of_half_setup(void) {
    for (unsigned i = 0; i <= POWER_STEPS; i++)
        power_table[i] = (uint32_t)(exp2(-(double)i / POWER_STEPS) * 2147483648.0 + 0.5);
}

// 2^-x in 2^-31; x in 2^-32.
static uint32_t power_of_half(uint64_t x) {
    if (x >> 32 > 31) return 0;
    const uint32_t fraction = (uint32_t)x;
    const uint32_t* step = &power_table[fraction >> 24];
    const uint32_t fall = step[0] - step[1];
    return (step[0] - (uint32_t)((uint64_t)fall * (fraction & 0xffffff) >> 24)) >> (x >> 32);
}
