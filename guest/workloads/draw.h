// SPDX-License-Identifier: MIT
#pragma once

// Random numbers whose state is a variable of the caller: xorshift, as in lib/random.c. The state
// is the number and is never 0.

#include <stdint.h>

static inline __attribute__((always_inline)) uint32_t draw(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}
