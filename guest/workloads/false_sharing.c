// SPDX-License-Identifier: MIT

// Counters that share a cache line, or do not: each processor counts up a counter of its own. No
// processor ever uses another one's counter, yet the counters may be in the same line.
//
// Arguments   stride      bytes from one counter to the next, a multiple of 4, at least 4 and at
//                         most 256; default 4
//             increments  by each processor; default 1000
// Results     elapsed_us, increments (of all processors)
// Checks      each counter has counted to `increments`

#include <stdlib.h>

#include "cpu.h"
#include "symsim.h"

#define MOST_STRIDE 256

static struct { LINE_ALIGNED unsigned char bytes[MAX_PROCESSORS * MOST_STRIDE]; } memory;

static unsigned stride, increments;

static volatile unsigned* counter_of(unsigned cpu) {
    return (volatile unsigned*)&memory.bytes[cpu * stride];
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    volatile unsigned* counter = counter_of(cpu);
    unsigned turns = increments;
    for (unsigned i = 0; i < turns; i++) *counter = *counter + 1;
}

int main(void) {
    stride = arg_unsigned("stride", 4);
    increments = arg_unsigned("increments", 1000);
    if (stride == 0 || stride % 4 != 0 || stride > MOST_STRIDE)
        panic("stride must be a multiple of 4, 4 to %u, not %u", MOST_STRIDE, stride);
    uint32_t start_us = clock_us();
    run_on_all(run, NULL);
    report("elapsed_us", clock_us() - start_us);
    report("increments", processors() * increments);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        if (*counter_of(cpu) != increments) {
            printf("counter %u is %u, not %u\n", cpu, *counter_of(cpu), increments);
            return 1;
        }
    return 0;
}
