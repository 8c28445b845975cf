// SPDX-License-Identifier: MIT
#pragma once

// The strategy this image is built with, one file of guest/threads/strategies/. Its functions are
// inlined into the package's: no call and no pointer stands between them. The operations are the
// paper's, not those of lists: one strategy takes one lock for the whole of an operation, another a
// lock for each list. Each file gives
//
//   struct own                          what it keeps for each processor; zero at first
//   void strategy_setup(unsigned processors)      before threads run
//   bool strategy_create(struct birth)            makes a thread that is ready; false if no block
//   is
//                                       at hand, then strategy_refill() and again: nothing that is
//                                       passed in registers need be saved for that rare case
//   void strategy_refill(void)          makes or fetches a block
//   void strategy_ready(struct thread*)           one that blocked or yields is ready again
//   struct next strategy_next(struct thread* finished, struct stack* stack)
//                                       takes back what a finished thread had, if there is a stack;
//                                       gives a ready thread, or none
//   void strategy_idle(void)            returns when strategy_next is worth trying again, or
//                                       threads_stopping; its loop in .text.idle, in its own cache
//   void strategy_count(struct thread_counts*)    adds what lies in its free lists
//   STRATEGY_NAME                       the file's name as text

#include "lists.h"
#include "package.h"
#include "symsim.h"

// A thread to run, with a stack if it is new.
struct next {
    struct thread* thread;
    struct stack* stack;
};

// What a new thread is given.
struct birth {
    thread_function* function;
    const void* data;  // the argument itself; with `bytes`, what it gets a copy of
    size_t bytes;
};

ALWAYS_INLINE void thread_fill(struct thread* thread, struct birth birth) {
    thread->function = birth.function;
    if (birth.bytes == 0) {
        thread->argument = (void*)birth.data;
    } else {
        thread->argument = thread->copy;
        memcpy(thread->copy, birth.data, birth.bytes);
    }
    PROBE(PROBE_THREAD_CREATE, thread);
}

ALWAYS_INLINE bool is_new(const struct thread* thread) {
    return thread->context == NULL;
}

struct own;
ALWAYS_INLINE struct own* own(void);  // this processor's
ALWAYS_INLINE struct own* own_of(unsigned processor);

#include SYMSIM_STRATEGY_FILE

// How processors lie in memory.
struct processor_and_own {
    struct processor processor;
    struct own own;
};
extern struct processor_and_own thread_processors[MAX_PROCESSORS];

ALWAYS_INLINE struct own* own(void) {
    return &((struct processor_and_own*)this_processor())->own;
}

ALWAYS_INLINE struct own* own_of(unsigned processor) {
    return &thread_processors[processor].own;
}
