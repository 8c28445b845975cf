// SPDX-License-Identifier: MIT

// Turns of an empty section, or of one that only takes time: turns.h with a delay of SECTION_NS as
// the section. The rest of a turn's time is the lock's. Mellor-Crummey and Scott, ACM TOCS 9(1),
// 1991, section 4: acquire and release with an empty section and with one of 6.48 us.
//
// Checks   none of its own: the section has no data that a broken lock could spoil

#define SECTION_HAS_DATA false
#include "turns.h"

static inline __attribute__((always_inline)) void section(unsigned delay) {
    (void)delay;
    if (SECTION_NS != 0) delay_turns(delay);
}

static void forget_turns(void) {}

static bool check_turns(unsigned turns) {
    return turns != 0;
}
