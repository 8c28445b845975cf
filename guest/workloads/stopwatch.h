// SPDX-License-Identifier: MIT
#pragma once

// Measures an interval of code without any cost. For each lock, by name, the simulator reports the
// number of attempts and the time from attempt to acquisition on the same processor. A stopwatch is
// a lock that nobody acquires: its probes alone make it appear among the locks of summary.json,
// with attempts = starts and wait_us = the sum of the times from start to stop.

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

// Only counts, without a time.
#define STOPWATCH_COUNT(watch) STOPWATCH_START(watch)
