// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// Simulated time since the start of the machine.
typedef unsigned clock_t;
typedef long time_t;
#define CLOCKS_PER_SEC 1000000u

clock_t clock(void);        // microseconds
time_t time(time_t* also);  // seconds

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef int clockid_t;
#define CLOCK_REALTIME 0  // both are the time since the start
#define CLOCK_MONOTONIC 1
int clock_gettime(clockid_t clock, struct timespec* now);  // returns 0; in whole microseconds
