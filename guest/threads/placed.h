// SPDX-License-Identifier: MIT
#pragma once

// The control block of strategies that know where a thread has run: that of package.h, and what the
// run queue, the placement and the affinity model add.

#include "affinity.h"
#include "package.h"
#include "thread_place.h"

#define PAGE_ALIGNED __attribute__((aligned(4096)))  // its owner touches it first: near memory

struct placed_thread {
    struct thread thread;                  // first, so that the two have one address
    struct placed_thread *lower, *higher;  // subtrees of the run queue
    unsigned shape;                        // random; decides which of two is nearer to the root
    volatile thread_place place;           // the processor that runs it or ran it last, or the wish
    struct placed_thread* with;            // it follows this thread, or NULL
    bool yielded;                          // runs after all others
    struct affinity affinity;
} __attribute__((aligned(LINE_BYTES)));
_Static_assert(sizeof(struct placed_thread) == 128, "four lines");

ALWAYS_INLINE struct placed_thread* placed(struct thread* thread) {
    return (struct placed_thread*)thread;
}

ALWAYS_INLINE bool is_processor(thread_place place) {
    return place < THREAD_PLACE_NODE;
}
