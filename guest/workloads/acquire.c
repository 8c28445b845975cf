// SPDX-License-Identifier: MIT

// Turns of an empty section, or of one that only takes time: turns.h with a delay of SECTION_NS as
// the section. Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 4: a loop that calls acquire
// and release, with an empty section and with one of 6.48 us. Their time of a turn includes loop
// and calls. So this program measures the whole turn, and beside it the same loop with calls of an
// empty procedure (result pause_least_ps). The rest is the lock's.
//
// Checks   none of its own: the section has no data that a broken lock could spoil

#define LOCK_CALLED true
#define HAS_PAUSES false
#define SECTION_HAS_DATA false
#include "turns.h"

static unsigned section_ns(void) {
    return SECTION_NS;
}

static inline __attribute__((always_inline)) void section(void) {
    if (SECTION_NS != 0) section_wait();
}

static void forget_turns(void) {}

static bool check_turns(unsigned turns) {
    return turns != 0;
}
