// SPDX-License-Identifier: MIT
#pragma once

// Random probe: the second hybrid in ALL section 3.6. Whoever makes a thread ready probes one
// processor, drawn at random. If that processor is idle, it gets the thread; else the thread goes
// to the central ready queue, which idle processors also poll.
//
//   ready_lock                ready queue
//   own.idle                  1: the processor is idle. Whoever exchanges 1 for 0 may give it a
//                             thread; if the processor itself does, no other may
//   pool_lock, stacks_lock    central free lists, rarely
//
// Lock acquisitions in the life of a null thread: 2, both of the ready queue; or none, but one
// exchange of `idle`. Read without the lock: whether the queue is empty; `idle`, by all; `given`,
// by its own processor, which alone clears it.

#define STRATEGY_NAME "random-probe"
#define STRATEGY_LOCKS 2
#include "threads/central_queue.h"
#include "threads/local_lists.h"
#include "threads/number.h"

struct own {
    struct local_lists lists;
    uint32_t random;
    LINE_ALIGNED struct thread* volatile given;
    volatile unsigned char idle;
};

static unsigned probed;  // number of processors

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
    probed = processors;
    for (unsigned i = 0; i < processors; i++) own_of(i)->random = random_next();
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    struct own* any = own_of(number_below(&own()->random, probed));
    if (any->idle && exchange_byte(&any->idle, 0))
        any->given = thread;
    else
        central_put(thread);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    strategy_ready(thread);
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

ALWAYS_INLINE struct thread* given_take(void) {
    struct thread* thread = own()->given;
    if (thread != NULL) own()->given = NULL;
    return thread;
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    struct thread* next = NULL;
    if (stack != NULL)
        local_finish(finished, stack);
    else
        next = given_take();
    if (next == NULL) next = central_take();
    return local_start(next);
}

// After another processor has taken the flag, this one must wait for the thread that it will give.
ALWAYS_INLINE bool strategy_has_ready(void) {
    return own()->given != NULL || central_has_some();
}

static IDLE_FUNCTION void strategy_idle(void) {
    struct own* self = own();
    self->idle = 1;
    while (self->given == NULL && !central_has_some() && !threads_stopping) {
    }
    if (!exchange_byte(&self->idle, 0))
        while (self->given == NULL) {
        }
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
