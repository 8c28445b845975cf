// SPDX-License-Identifier: MIT
#pragma once

// What programs of the 1980s take from this header.

#include <limits.h>
#include <sys/types.h>

#ifndef HZ
#define HZ 100  // ticks of times() in a second, as sysconf(_SC_CLK_TCK)
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
