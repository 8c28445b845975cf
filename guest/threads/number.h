// SPDX-License-Identifier: MIT
#pragma once

// Random numbers for hot paths, inlined and with one store. The generator is that of lib/random.c.

#include "package.h"

// Uniform in 0 .. limit - 1: the upper half of a product.
ALWAYS_INLINE uint32_t number_below(uint32_t* state, uint32_t limit) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (uint64_t)x * limit >> 32;
}
