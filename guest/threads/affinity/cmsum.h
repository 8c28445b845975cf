// SPDX-License-Identifier: MIT
#pragma once

// CmSum: the cache misses of all periods of a thread (MTH section 7.1.4), as cmisses.h counts those
// of the last one. The order does not change with time.

#define AFFINITY_NAME "cmsum"

#include "monitor.h"

struct affinity {
    unsigned misses;
};

struct aff_processor {
    unsigned since;  // count of misses when the running thread started
};

ALWAYS_INLINE void aff_setup(void) {}

ALWAYS_INLINE void aff_thread_stopped(struct affinity* thread, struct aff_processor* processor) {
    thread->misses += monitor_cache_misses() - processor->since;
}

ALWAYS_INLINE void aff_thread_started(struct affinity* thread, struct aff_processor* processor,
                                      enum aff_arrival arrival) {
    if (arrival == AFF_NEW) thread->misses = 0;
    processor->since = monitor_cache_misses();
}

ALWAYS_INLINE bool aff_greater(const struct affinity* thread, const struct affinity* other,
                               const struct aff_processor* processor) {
    (void)processor;
    return thread->misses > other->misses;
}
