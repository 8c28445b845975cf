// SPDX-License-Identifier: MIT

// Turns of a small section on shared data: turns.h with two lines of two counters. The lines are
// apart from the lock and move from cache to cache with it. T. Anderson, IEEE TPDS 1(1), 1990:
// "spin" with pauses, "arrive" with one turn each and no pause.
//
// The paper gives a million turns of all processors together, pauses with a mean of five sections,
// and 66.5 us for a turn on one processor. So a section takes about a sixth of it, 11 us. The
// rest is ours: the section increments four counters and then only takes time; a pause is uniform
// from the time of the loop itself, about 4 us, up to what gives the mean.
//
// Arguments   section_us  length of a section on one processor; default 0: the increments alone
// Checks      each counter equals the number of turns

#define LOCK_CALLED false
#define HAS_PAUSES true
#define SECTION_HAS_DATA true
#include "turns.h"

#define MOST_SECTION_US 1000000
#define LINES 2
#define COUNTERS 2

static struct { LINE_ALIGNED volatile unsigned counter[COUNTERS]; } shared[LINES];

static unsigned section_ns(void) {
    unsigned us = arg_unsigned("section_us", 0);
    if (us > MOST_SECTION_US) panic("section_us must be at most %u", MOST_SECTION_US);
    return us * 1000;
}

static inline __attribute__((always_inline)) void section(void) {
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned i = 0; i < COUNTERS; i++) shared[line].counter[i]++;
    section_wait();
}

static void forget_turns(void) {
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned i = 0; i < COUNTERS; i++) shared[line].counter[i] = 0;
}

static bool check_turns(unsigned turns) {
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned i = 0; i < COUNTERS; i++)
            if (shared[line].counter[i] != turns) {
                printf("counter %u of line %u is %u, should be %u\n", i, line,
                       shared[line].counter[i], turns);
                return false;
            }
    return true;
}
