// SPDX-License-Identifier: MIT
#pragma once

// The central ready queue, shared by all processors, with a lock of its own. With PRIVATE_COPIES
// each processor has its own queue and lock.

#include "lists.h"

#if PRIVATE_COPIES
#define ready private_page
#define ready_lock private_page.lock
#else
static struct lock ready_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct thread_queue queue; } ready;
#endif

ALWAYS_INLINE bool central_has_some(void) {
    return queue_has_some(&ready.queue);
}

ALWAYS_INLINE void central_put(struct thread* thread) {
    package_lock(&ready_lock);
    queue_put(&ready.queue, thread);
    package_unlock(&ready_lock);
}

// NULL if the queue is empty. A queue that reads as empty is not locked.
ALWAYS_INLINE struct thread* central_take(void) {
    if (!central_has_some()) return NULL;
    package_lock(&ready_lock);
    struct thread* thread = queue_take(&ready.queue);
    package_unlock(&ready_lock);
    return thread;
}
