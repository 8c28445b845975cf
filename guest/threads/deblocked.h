// SPDX-License-Identifier: MIT
#pragma once

// Deblocked threads of one processor (MTH section 6.3.3): whoever wakes a thread puts it here, at
// one xchgl and two stores, and touches nothing else of that processor. The processor later finds
// the threads their places in its run queue.
//
//   last ─▶ thread put last ─▶ ... ─▶ thread put first ─▶ NULL
//
// No lock. A thread is put in two steps: the xchgl makes it the last, then it is linked to the one
// before. In between its `next` is PENDING, and whoever takes the list waits for the link. Nobody
// is preempted, so this takes no longer than the store.

#include "package.h"

#define PENDING ((struct thread*)1)

struct deblocked {
    LINE_ALIGNED volatile unsigned last;
};

ALWAYS_INLINE bool deblocked_has_some(const struct deblocked* deblocked) {
    return deblocked->last != 0;
}

// Threads that are already linked, from `last` back to `first`.
ALWAYS_INLINE void deblocked_put_all(struct deblocked* deblocked, struct thread* first,
                                     struct thread* last) {
    first->next = PENDING;
    struct thread* before = (struct thread*)exchange_word(&deblocked->last, (unsigned)last);
    *(struct thread* volatile*)&first->next = before;
}

ALWAYS_INLINE void deblocked_put(struct deblocked* deblocked, struct thread* thread) {
    deblocked_put_all(deblocked, thread, thread);
}

// Takes all threads; returns the one put first, linked by `next` in the order in which they were
// put.
static THREADS_FUNCTION struct thread* deblocked_take(struct deblocked* deblocked) {
    struct thread* first = NULL;
    if (!deblocked_has_some(deblocked)) return NULL;
    struct thread* thread = (struct thread*)exchange_word(&deblocked->last, 0);
    while (thread != NULL) {
        struct thread* before;
        do before = *(struct thread* volatile*)&thread->next;
        while (before == PENDING);
        thread->next = first;
        first = thread;
        thread = before;
    }
    return first;
}
