// SPDX-License-Identifier: MIT

// Turns of a small section on shared data: turns.h with two lines of two counters. The lines are
// apart from the lock and move from cache to cache with it. T. Anderson, IEEE TPDS 1(1), 1990:
// "spin" with pauses, "arrive" with one turn each and no pause.
//
// Checks   each counter equals the number of turns

#define SECTION_HAS_DATA true
#define SECTION_NS 0
#include "turns.h"

#define LINES 2
#define COUNTERS 2

static struct { LINE_ALIGNED volatile unsigned counter[COUNTERS]; } shared[LINES];

static inline __attribute__((always_inline)) void section(unsigned delay) {
    (void)delay;
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned i = 0; i < COUNTERS; i++) shared[line].counter[i]++;
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
