// SPDX-License-Identifier: MIT
#pragma once

// NoAff: no affinity, runnable threads are served first come, first served (MTH section 7.2.3).

#define AFFINITY_NAME "none"

struct affinity {};
struct aff_processor {};

ALWAYS_INLINE void aff_setup(void) {}

ALWAYS_INLINE void aff_thread_stopped(struct affinity* thread, struct aff_processor* processor) {
    (void)thread;
    (void)processor;
}

ALWAYS_INLINE void aff_thread_started(struct affinity* thread, struct aff_processor* processor,
                                      enum aff_arrival arrival) {
    (void)thread;
    (void)processor;
    (void)arrival;
}

ALWAYS_INLINE bool aff_greater(const struct affinity* thread, const struct affinity* other,
                               const struct aff_processor* processor) {
    (void)thread;
    (void)other;
    (void)processor;
    return false;
}
