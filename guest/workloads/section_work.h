// SPDX-License-Identifier: MIT
#pragma once

// The extra work in the critical section of ALL Figure 4.2, in an image built with SECTION_WORK;
// nothing in any other.
//
// The paper only says that the work is done; which references it makes decides how far the
// spinners' bus traffic can slow it. One unit is a turn of a loop with loads that hit the cache and
// one store, to data of this processor alone. A turn takes about 2 us on one processor: half a
// million stores a second, the rate at which the Symmetry's write-through bus serves ten
// processors (hardware.md 1.2, sanity check).

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
