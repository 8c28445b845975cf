// SPDX-License-Identifier: MIT
#pragma once

// Idle queue (ALL section 3.4): local free lists, one central ready queue, and a queue of idle
// processors. An idle processor takes a block and a stack in advance and spins on a word of its
// own, `given`. A creator that finds an idle processor fills that processor's block and stack and
// gives it the thread directly, not through the ready queue. The processor only has to switch to
// it.
//
//   ready_lock    ready queue           no two are held at once
//   idle_lock     idle processors
//   pool_lock, stacks_lock              central free lists, rarely
//
// Lock acquisitions in the life of a null thread: 2. With no processor idle, both are of the ready
// queue; else both of the idle queue: by the processor as it joins and by the creator.
// Read without the lock: whether the ready queue is empty; whether a processor is idle; `given`, by
// its own processor, which alone clears it.
//
// No thread is lost between the two queues. A creator puts a thread into the ready queue and then
// looks for idle processors. A processor joins the idle queue and then looks at the ready queue.
// SECTION_BEFORE_READS() orders section and look, so one of the two sees the other. (It costs
// nothing with locks that are released by an exchange.)

#define STRATEGY_NAME "idle-queue"
#define STRATEGY_LOCKS 2
#include "threads/central_queue.h"
#include "threads/local_lists.h"

// Given to a processor instead of a thread: look at the ready queue.
#define LOOK ((struct thread*)1)

struct own {
    struct local_lists lists;
    struct thread*
        block;            // reserved, as is `stack`, for the new thread that this processor will be
    struct stack* stack;  // given; both have a meaning only until it is given something
    struct own* next;     // in the idle queue
    LINE_ALIGNED struct thread* volatile given;
};

static struct lock idle_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct own* first; } idle;

ALWAYS_INLINE struct local_lists* lists(void) {
    return &own()->lists;
}

static void strategy_setup(unsigned processors) {
    local_lists_setup(processors);
    idle.first = NULL;
}

ALWAYS_INLINE bool some_idle(void) {
    return *(struct own* volatile*)&idle.first != NULL;
}

// Removes a processor from the idle queue, or returns NULL; the caller must give it something.
ALWAYS_INLINE struct own* idle_take(void) {
    if (!some_idle()) return NULL;
    package_lock(&idle_lock);
    struct own* processor = idle.first;
    if (processor != NULL) idle.first = processor->next;
    package_unlock(&idle_lock);
    return processor;
}

ALWAYS_INLINE void give(struct own* to, struct thread* thread) {
    compiler_barrier();
    to->given = thread;
}

static inline void ready_put(struct thread* thread) {
    central_put(thread);
    SECTION_BEFORE_READS();
    struct own* processor = idle_take();
    if (processor != NULL) give(processor, LOOK);
}

ALWAYS_INLINE bool strategy_create(struct birth birth) {
    struct own* processor = idle_take();
    if (processor != NULL) {
        struct thread* thread = processor->block;
        thread_fill(thread, birth);
        stack_fill(processor->stack, thread);
        give(processor, thread);
        return true;
    }
    struct thread* thread = local_block_take();
    if (thread == NULL) return false;
    thread_fill(thread, birth);
    ready_put(thread);
    return true;
}

static void strategy_refill(void) {
    local_blocks_refill();
}

ALWAYS_INLINE void strategy_ready(struct thread* thread) {
    struct own* processor = idle_take();
    if (processor != NULL)
        give(processor, thread);
    else
        ready_put(thread);
}

// Frees what this processor has reserved, since it was not given a new thread.
static THREADS_FUNCTION void give_back(void) {
    local_finish(own()->block, own()->stack);
}

// Takes what this processor was given while it was idle.
ALWAYS_INLINE struct next given_take(void) {
    struct thread* thread = own()->given;
    if (thread == NULL) return (struct next){.thread = NULL};
    own()->given = NULL;
    if (thread == own()->block)
        return (struct next){.thread = thread, .stack = own()->stack, .stack_filled = true};
    give_back();
    return (struct next){.thread = thread == LOOK ? NULL : thread};
}

ALWAYS_INLINE struct next strategy_next(struct thread* finished, struct stack* stack) {
    if (stack != NULL) {
        local_finish(finished, stack);
    } else {
        struct next given = given_take();
        if (given.thread != NULL) return given;
    }
    return local_start(central_take());
}

static THREADS_FUNCTION void idle_join(struct own* self) {
    while ((self->block = local_block_take()) == NULL) local_blocks_refill();
    self->stack = local_stack_take();
    package_lock(&idle_lock);
    self->next = idle.first;
    idle.first = self;
    package_unlock(&idle_lock);
    SECTION_BEFORE_READS();
}

// False if another processor has removed this one already: it will give this one something.
static THREADS_FUNCTION bool idle_leave(struct own* self) {
    bool found = false;
    package_lock(&idle_lock);
    for (struct own** link = &idle.first; *link != NULL; link = &(*link)->next)
        if (*link == self) {
            *link = self->next;
            found = true;
            break;
        }
    package_unlock(&idle_lock);
    return found;
}

static IDLE_FUNCTION void wait_until_given(struct own* self) {
    while (self->given == NULL && !threads_stopping) {
    }
}

// Another processor has removed this one from the idle queue and is about to give it something.
static IDLE_FUNCTION void await(struct own* self) {
    while (self->given == NULL) {
    }
}

ALWAYS_INLINE bool strategy_has_ready(void) {
    return own()->given != NULL || central_has_some();
}

static void strategy_idle(void) {
    struct own* self = own();
    idle_join(self);
    if (!central_has_some()) wait_until_given(self);
    if (self->given != NULL) return;
    if (idle_leave(self))
        give_back();
    else
        await(self);
}

static void strategy_count(struct thread_counts* counts) {
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) local_lists_count(&own_of(i)->lists, counts);
    central_lists_count(counts);
}
