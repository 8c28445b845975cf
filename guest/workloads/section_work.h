// SPDX-License-Identifier: MIT
#pragma once

// Additional work in the critical section for ALL Figure 4.2, in an image built with SECTION_WORK.
// Other images have none.
//
// The paper does not say what the work is, but its memory references decide how much the spinners'
// bus traffic can slow it. Here a unit is one iteration of a loop with loads that hit the cache and
// one store, to private data of the processor. It takes about 2 us on one processor: half a million
// stores a second. A store takes 2 of Model A's 10 million bus cycles a second, so ten such
// processors fill the bus.

#ifdef SECTION_WORK

#include "cpu.h"
#include "symsim.h"

#define SCRATCH_WORDS 3

static struct { LINE_ALIGNED volatile unsigned words[SCRATCH_WORDS]; } scratch[MAX_PROCESSORS];
static unsigned work_units;

static inline void section_work_setup(void) {
    work_units = arg_unsigned("work", 0);
}

static inline void section_work(unsigned cpu) {
    volatile unsigned* words = scratch[cpu].words;
    for (unsigned i = work_units; i > 0; i--) words[0] = words[0] + words[1] + words[2];
}

#else

static inline void section_work_setup(void) {}

static inline void section_work(unsigned cpu) {
    (void)cpu;
}

#endif
