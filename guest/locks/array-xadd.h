// SPDX-License-Identifier: MIT
#pragma once

// array.h with the 486's xadd, so that taking a number is first come, first served, too.

#define LOCK_ISA i486
#define LOCK_NAME "array-xadd"
#define LOCK_FIFO arrival
#define NUMBER_XADD

#include "array.h"
