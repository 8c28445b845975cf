// SPDX-License-Identifier: MIT
#pragma once

// Exponential ageing (MTH section 5.2.1, Equation 3) with K = 2: a thread has the time for which it
// ran last, halved for each `half_us` since it stopped. The order of two threads never changes
// (Equation 4, claim MTH-24). So it is compared at the moment when the later of the two stopped.
//
// Argument   half_us   the paper's 1/a; default AGE_HALF_US

#define AFFINITY_NAME "exponential"

#include "cpu.h"
#include "threads/power_of_half.h"

#ifndef AGE_HALF_US
#define AGE_HALF_US 1000  // a guess, the paper has no number for its machine
#endif

struct affinity {
    uint32_t ran_us;
    uint32_t stopped_us;
};

struct aff_processor {
    uint32_t since_us;  // when the running thread started
};

static uint32_t ages_each_us;  // in 2^-32 of a half-life

static void exponential_setup(uint32_t half_us) {
    if (half_us < 2) panic("half_us must be at least 2");
    power_of_half_setup();
    ages_each_us = (uint32_t)((1ull << 32) / half_us);
}

ALWAYS_INLINE void aff_setup(void) {
    exponential_setup(arg_unsigned("half_us", AGE_HALF_US));
}

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

// In 2^-31 us: what is left of a time after `age_us`.
static uint64_t aged(uint32_t ran_us, uint32_t age_us) {
    return (uint64_t)ran_us * power_of_half((uint64_t)age_us * ages_each_us);
}

static THREADS_FUNCTION bool aff_greater(const struct affinity* thread,
                                         const struct affinity* other,
                                         const struct aff_processor* processor) {
    (void)processor;
    const int later_us = (int)(thread->stopped_us - other->stopped_us);
    if (later_us >= 0) return (uint64_t)thread->ran_us << 31 > aged(other->ran_us, later_us);
    return aged(thread->ran_us, -later_us) > (uint64_t)other->ran_us << 31;
}
