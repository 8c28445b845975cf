// SPDX-License-Identifier: MIT
#pragma once

// An affinity model for tests: the test sets the priority of a thread, and comparisons are counted.

#define AFFINITY_NAME "counted"

struct affinity {
    unsigned priority;
};

struct aff_processor {};

static unsigned comparisons;

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
    (void)processor;
    comparisons++;
    return thread->priority > other->priority;
}
