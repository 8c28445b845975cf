// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// Simulated time since the start of the machine.
//
// clock_t is int, so that the declaration `extern int times();` of older programs agrees with
// sys/times.h. clock() becomes negative after 35 simulated minutes.
typedef int clock_t;
typedef long time_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLK_TCK 100  // ticks of times() in a second, as sysconf(_SC_CLK_TCK)

clock_t clock(void);        // microseconds
time_t time(time_t* also);  // seconds
double difftime(time_t end, time_t begin);

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef int clockid_t;
#define CLOCK_REALTIME 0  // both are the time since the start
#define CLOCK_MONOTONIC 1
int clock_gettime(clockid_t clock, struct timespec* now);  // returns 0; in whole microseconds
int clock_getres(clockid_t clock, struct timespec* step);  // returns 0; 1 us
