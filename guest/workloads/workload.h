// SPDX-License-Identifier: MIT
#pragma once

// Shared by the workloads that have one lock.

#include "cpu.h"
#include "kept_in_memory.h"
#include "lock.h"
#include "string.h"
#include "symsim.h"

#define TIMED_REGION 1

// Argument `lock`: if given, must be the lock this image is built with.
static inline void check_lock_argument(void) {
    if (strcmp(arg_string("lock", LOCK_NAME), LOCK_NAME) != 0)
        panic("this image has lock %s, not %s", LOCK_NAME, arg_string("lock", ""));
}

// clock_us() without the call, whose return address would be a store on the bus.
static inline uint32_t board_clock_us(void) {
    return read_register(BOARD_CLOCK_US);
}

// Waits without using the bus.
static inline void wait_until_us(uint32_t time_us) {
    while ((int32_t)(board_clock_us() - time_us) < 0) {
    }
}
