// SPDX-License-Identifier: MIT
#pragma once

// Simulated time since the start of the machine, as in time.h. The clock has 32 bits of
// microseconds: after 71 simulated minutes it starts again at 0.

#include <sys/types.h>

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

int gettimeofday(struct timeval* now, void* zone);  // returns 0; `zone` is not used
