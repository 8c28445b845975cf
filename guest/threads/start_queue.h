// SPDX-License-Identifier: MIT
#pragma once

// Startable threads: created, but without a stack (MTH sections 4.4, 7.1.1). First in, first out. A
// processor, a node and the machine each have such a queue. The processor that takes a thread from
// it gives it a stack of its own pool.

#include "lists.h"

struct start_queue {
    struct lock lock;
    LINE_ALIGNED struct thread_queue threads;
};

ALWAYS_INLINE bool startable_has_some(const struct start_queue* queue) {
    return queue_has_some(&queue->threads);
}

ALWAYS_INLINE void startable_put(struct start_queue* queue, struct thread* thread) {
    package_lock(&queue->lock);
    queue_put(&queue->threads, thread);
    package_unlock(&queue->lock);
}

// NULL if the queue is empty. A queue that reads as empty is not locked.
ALWAYS_INLINE struct thread* startable_take(struct start_queue* queue) {
    if (!startable_has_some(queue)) return NULL;
    package_lock(&queue->lock);
    struct thread* thread = queue_take(&queue->threads);
    package_unlock(&queue->lock);
    return thread;
}
