// SPDX-License-Identifier: MIT

#include "cpu.h"
#include "internal.h"
#include "symsim.h"

// The final step of MurmurHash3 (A. Appleby, public domain): each input bit affects every bit of
// the result.
static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x85EBCA6B;
    x = (x ^ x >> 13) * 0xC2B2AE35;
    return x ^ x >> 16;
}

// A hash, so that adjacent seeds and processors have unrelated sequences.
uint32_t random_seed(uint32_t seed, unsigned processor) {
    uint32_t state = mix(mix(seed + 1) + processor);
    return state != 0 ? state : 1;
}

// Xorshift (G. Marsaglia, J. Stat. Software 8, 2003): its period is all 2^32 - 1 nonzero values,
// and it needs no multiplication.
uint32_t random_next(void) {
    struct cpu* cpu = this_cpu();
    uint32_t x = cpu->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    cpu->random = x;
    return x;
}

uint32_t random_below(uint32_t limit) {
    return (uint32_t)((uint64_t)random_next() * limit >> 32);
}
