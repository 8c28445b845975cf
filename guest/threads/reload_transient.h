// SPDX-License-Identifier: MIT
#pragma once

// How much of a thread is in a cache, after Steckermeier & Bellosa (1995, section 5.3): expected
// numbers of lines in a direct-mapped cache of N lines, if misses fall on all lines alike. Lines
// are in 2^-8, misses are whole numbers. K = (N - 1) / N.
//
//   lines_held      Equation 7   N - (N - i) K^n   of i lines after n misses of its own
//   lines_left      Equation 9   i K^n             of i lines after n misses of others
//   reload_misses   Equation 10  log_K [(N - E) / (N - K^n E)], in 2^-8: misses that bring it back
//                                from what is left after n foreign misses to its footprint E
//
// Equation 10 is Equation 7 solved for n (claim MTH-21). The paper says that the order by it stays
// constant in time (Equation 11). It does not: with N = 1000, a thread of 900 lines that has just
// stopped comes before one of 500 lines of which 100 are left, and after it 200 misses later (claim
// MTH-22). So the order in a run queue is that of the moments of insertion.

#include "logarithm.h"
#include "power_of_half.h"

#define LINE_FRACTION 8  // bits

static uint32_t all_lines;     // N, in 2^-8
static uint32_t decay;         // log2(1/K): what one miss adds to the exponent, in 2^-32
static uint32_t decay_misses;  // its reciprocal, log_K of 1/2, in 2^-12

// `lines`: 4 to 65536.
static void reload_setup(uint32_t lines) {
    power_of_half_setup();
    logarithm_setup();
    const double one = -log2(1 - 1.0 / lines);
    all_lines = lines << LINE_FRACTION;
    decay = (uint32_t)(one * 4294967296.0 + 0.5);
    decay_misses = (uint32_t)(4096.0 / one + 0.5);
}

static uint32_t lines_left(uint32_t lines, uint32_t misses) {
    return (uint32_t)((uint64_t)lines * power_of_half((uint64_t)misses * decay) >> 31);
}

static uint32_t lines_held(uint32_t lines, uint32_t misses) {
    return all_lines - lines_left(all_lines - lines, misses);
}

// log2 of the lines that a thread does not have, at least 2^-8 of one.
static uint32_t missing(uint32_t lines) {
    return logarithm(lines < all_lines ? all_lines - lines : 1);
}

static uint32_t reload_misses(uint32_t footprint, uint32_t misses) {
    const uint32_t halvings = missing(lines_left(footprint, misses)) - missing(footprint);
    return (uint32_t)((uint64_t)halvings * decay_misses >> (26 + 12 - LINE_FRACTION));
}
