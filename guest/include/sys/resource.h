// SPDX-License-Identifier: MIT
#pragma once

#include <sys/time.h>

#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)

struct rusage {
    struct timeval ru_utime;  // simulated time since the start of the machine; children: 0
    struct timeval ru_stime;  // 0: there is no system
};

// Returns 0. Another `who`: returns -1 and sets errno to EINVAL.
int getrusage(int who, struct rusage* used);
