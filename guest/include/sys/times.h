// SPDX-License-Identifier: MIT
#pragma once

// Times in ticks; sysconf(_SC_CLK_TCK) of them, 100, are a second.

#include <time.h>

struct tms {
    clock_t tms_utime;   // simulated time since the start of the machine
    clock_t tms_stime;   // 0: there is no system
    clock_t tms_cutime;  // 0: there are no children
    clock_t tms_cstime;
};

clock_t times(struct tms* used);  // returns the ticks since the start of the machine
