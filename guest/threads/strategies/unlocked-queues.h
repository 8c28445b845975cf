// SPDX-License-Identifier: MIT
#pragma once

// Unlocked local queues (ALL section 3.5): local free lists, and per processor a ready queue that
// no other processor accesses. So the queue needs no lock, and no other processor can help. New
// threads go to the processors in rotation.
//
//   own.ready       only its own processor accesses it
//   own.from[i]     a place for one new thread: processor i fills it when it is empty, the owner
//                   empties it. There is one writer at a time, so no lock
//   pool_lock, stacks_lock    central free lists, rarely
//
// Lock acquisitions in the life of a null thread: none. Read by others: from[i], by processor i
// before it fills it. The owner stores the thread elsewhere before it empties from[i], and stores
// become visible in order (ordering.h rule 2).
//
// If the place is not empty, the new thread stays with its creator. A thread that blocked goes to
// the queue of the processor that makes it ready. A thread may be queued at a processor that has
// no time for it, as in null_threads.c. If this processor has stopped, threads_run() starts it
// again (strategy_left). A check by the creator would need an exchange for each thread, since the
// processor may stop between the check and the store.

#define STRATEGY_NAME "unlocked-queues"
#define STRATEGY_SPECIAL "for claim ALL-40 only: no processor takes the threads of another"
#define STRATEGY_MAY_LEAVE 1

#include "threads/local_lists.h"

struct own {
    struct local_lists lists;
    struct thread_queue ready;
    unsigned number;       // of this processor
    unsigned next_target;  // processor that gets the next new thread
    unsigned next_source;  // processor whose place is examined next
    LINE_ALIGNED struct thread* volatile from[MAX_PROCESSORS];
};

static unsigned targets;  // number of processors

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
    targets = processors;
    for (unsigned i = 0; i < processors; i++) own_of(i)->number = own_of(i)->next_target = i;
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    queue_put(&own()->ready, thread);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    struct own* self = own();
    unsigned target = self->next_target;
    self->next_target = target + 1 < targets ? target + 1 : 0;
    struct thread* volatile* place = &own_of(target)->from[self->number];
    compiler_barrier();
    if (own_of(target) == self || *place != NULL)
        strategy_ready(thread);
    else
        *place = thread;
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

// Moves a new thread that processor i has placed here into this processor's queue.
ALWAYS_INLINE void admit(struct own* self, unsigned i) {
    struct thread* thread = self->from[i];
    if (thread == NULL) return;
    queue_put(&self->ready, thread);
    compiler_barrier();
    self->from[i] = NULL;
}

// Each call examines one place, so that no new thread waits forever after threads that yield; it
// examines all places if the queue is empty.
ALWAYS_INLINE struct thread* own_take(struct own* self) {
    unsigned i = self->next_source;
    self->next_source = i + 1 < targets ? i + 1 : 0;
    admit(self, i);
    for (i = 0; self->ready.head == NULL && i < targets; i++) admit(self, i);
    return queue_take(&self->ready);
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) local_finish(finished, stack);
    return local_start(own_take(own()));
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    const struct own* self = own();
    for (unsigned i = 0; i < targets; i++)
        if (self->from[i] != NULL) return true;
    return self->ready.head != NULL;
}

static IDLE_FUNCTION void strategy_idle(void) {
    struct own* self = own();
    unsigned i = 0;
    while (self->from[i] == NULL && !threads_stopping) i = i + 1 < targets ? i + 1 : 0;
}

static bool strategy_left(void) {
    for (unsigned i = 0; i < targets; i++)
        for (unsigned j = 0; j < targets; j++)
            if (own_of(i)->from[j] != NULL) return true;
    return false;
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
