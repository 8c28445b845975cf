// SPDX-License-Identifier: MIT
#pragma once

// CMisses: the cache misses of a thread's last period (MTH sections 5.2.2, 7.1.4). A thread with
// many of them has loaded most of its working set, so it is the higher. The order does not change
// with time.

#define AFFINITY_NAME "cmisses"

#include "monitor.h"

struct affinity {
    unsigned misses;
};

struct aff_processor {
    unsigned since;  // count of misses when the running thread started
};

ALWAYS_INLINE void aff_setup(void) {}

ALWAYS_INLINE void aff_thread_stopped(struct affinity* thread, struct aff_processor* processor) {
    thread->misses = monitor_cache_misses() - processor->since;
}

ALWAYS_INLINE void aff_thread_started(struct affinity* thread, struct aff_processor* processor,
                                      enum aff_arrival arrival) {
    (void)thread;
    (void)arrival;
    processor->since = monitor_cache_misses();
}

ALWAYS_INLINE bool aff_greater(const struct affinity* thread, const struct affinity* other,
                               const struct aff_processor* processor) {
    (void)processor;
    return thread->misses > other->misses;
}
