// SPDX-License-Identifier: MIT
#pragma once

// Hyperbolic ageing (MTH section 5.2.1, Equation 1): a thread has the time for which it ran last,
// divided by the time since it stopped. The order of two threads may change with time (Equation 2,
// claim MTH-23), so the order in a run queue is that of the moments of insertion.

#define AFFINITY_NAME "hyperbolic"

#include "cpu.h"

struct affinity {
    uint32_t ran_us;
    uint32_t stopped_us;
};

struct aff_processor {
    uint32_t since_us;  // when the running thread started
};

ALWAYS_INLINE void aff_setup(void) {}

ALWAYS_INLINE void aff_thread_stopped(struct affinity* thread, struct aff_processor* processor) {
    thread->stopped_us = read_register(BOARD_CLOCK_US);
    thread->ran_us = thread->stopped_us - processor->since_us;
}

ALWAYS_INLINE void aff_thread_started(struct affinity* thread, struct aff_processor* processor,
                                      enum aff_arrival arrival) {
    (void)thread;
    (void)arrival;
    processor->since_us = read_register(BOARD_CLOCK_US);
}

// The quotients at a time, compared without a division.
ALWAYS_INLINE bool hyperbolic_greater(const struct affinity* thread, const struct affinity* other,
                                      uint32_t now_us) {
    return (uint64_t)thread->ran_us * (now_us - other->stopped_us) >
           (uint64_t)other->ran_us * (now_us - thread->stopped_us);
}

ALWAYS_INLINE bool aff_greater(const struct affinity* thread, const struct affinity* other,
                               const struct aff_processor* processor) {
    (void)processor;
    return hyperbolic_greater(thread, other, read_register(BOARD_CLOCK_US));
}
