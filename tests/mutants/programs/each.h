// SPDX-License-Identifier: MIT
#pragma once

// The frame of the programs in this folder: `each` runs on all processors at nearly the same time;
// then `check` runs on processor 0. A program that is right returns 0 in every schedule.

#include "checked.h"
#include "cpu.h"
#include "symsim.h"

#define TIMED_REGION 1

static void each(unsigned cpu);
static bool check(void);

static void run(unsigned cpu, void* unused) {
    (void)unused;
    barrier();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    each(cpu);
    PROBE(PROBE_REGION_END, TIMED_REGION);
}

int main(void) {
    run_on_all(run, NULL);
    if (check()) return 0;
    printf("the check at the end failed\n");
    return 1;
}

// A word in a line of its own.
struct word {
    LINE_ALIGNED volatile unsigned word;
};
