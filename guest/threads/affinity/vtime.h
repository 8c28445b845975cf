// SPDX-License-Identifier: MIT
#pragma once

// VTime: virtual time (MTH sections 5.2.1, 7.1.4). A processor counts its threads' periods. The
// fewer others have run since a thread stopped, the higher it is. The order does not change with
// time.

#define AFFINITY_NAME "vtime"

struct affinity {
    unsigned stopped;  // virtual time of the processor on which it stopped
};

struct aff_processor {
    unsigned now;
};

ALWAYS_INLINE void aff_setup(void) {}

ALWAYS_INLINE void aff_thread_stopped(struct affinity* thread, struct aff_processor* processor) {
    thread->stopped = ++processor->now;
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
    return (int)(thread->stopped - other->stopped) > 0;
}
