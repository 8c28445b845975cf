// SPDX-License-Identifier: MIT
#pragma once

// Reload: the reload transient (MTH sections 5.3 and 7.1.4). The thread that is expected to cause
// the fewest misses until its working set is complete is the highest. What it needs is the count of
// misses at each start and stop; each comparison takes two logarithms and a power of both threads.
//
// Argument   cache_lines   N of the model; default AFFINITY_LINES

#define AFFINITY_NAME "reload"

#include "monitor.h"
#include "threads/reload_transient.h"

#ifndef AFFINITY_LINES
#define AFFINITY_LINES 4096  // 64 KB in lines of 16 bytes (configs/machines/symmetry-a.toml)
#endif

struct affinity {
    uint32_t lines;   // in the cache when the thread stopped, in 2^-8
    unsigned misses;  // the processor's count then
};

struct aff_processor {
    unsigned misses;  // count at the last start or stop
};

ALWAYS_INLINE void aff_setup(void) {
    const unsigned lines = arg_unsigned("cache_lines", AFFINITY_LINES);
    if (lines < 4 || lines > 65536) panic("cache_lines must be 4 to 65536");
    reload_setup(lines);
}

static THREADS_FUNCTION void aff_thread_stopped(struct affinity* thread,
                                                struct aff_processor* processor) {
    const unsigned now = monitor_cache_misses();
    thread->lines = lines_held(thread->lines, now - processor->misses);
    thread->misses = now;
    processor->misses = now;
}

static THREADS_FUNCTION void aff_thread_started(struct affinity* thread,
                                                struct aff_processor* processor,
                                                enum aff_arrival arrival) {
    const unsigned now = monitor_cache_misses();
    thread->lines = arrival == AFF_BACK ? lines_left(thread->lines, now - thread->misses) : 0;
    processor->misses = now;
}

static THREADS_FUNCTION bool aff_greater(const struct affinity* thread,
                                         const struct affinity* other,
                                         const struct aff_processor* processor) {
    return reload_misses(thread->lines, processor->misses - thread->misses) <
           reload_misses(other->lines, processor->misses - other->misses);
}
