// SPDX-License-Identifier: MIT
#pragma once

// Measures a stretch of code without a cost to it. The simulator reports of each lock by name how
// often it was attempted, and how long from each attempt to the acquisition on the same processor.
// A stopwatch is a lock that nobody has: its probes alone make it appear among the locks of
// summary.json, with attempts = starts and wait_us = the times from start to stop.

#include "probes.h"

struct stopwatch {
    char unused;
};

#define STOPWATCH_START(watch) PROBE(PROBE_LOCK_ATTEMPT, &(watch))
#define STOPWATCH_STOP(watch)                 \
    do {                                      \
        PROBE(PROBE_LOCK_ACQUIRED, &(watch)); \
        PROBE(PROBE_LOCK_RELEASE, &(watch));  \
    } while (0)

// Only counts.
#define STOPWATCH_COUNT(watch) STOPWATCH_START(watch)
