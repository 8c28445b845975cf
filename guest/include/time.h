// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// Simulated time since the start of the machine.
typedef unsigned clock_t;
typedef long time_t;
#define CLOCKS_PER_SEC 1000000u

clock_t clock(void);        // microseconds
time_t time(time_t* also);  // seconds
