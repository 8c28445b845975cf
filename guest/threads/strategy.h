// SPDX-License-Identifier: MIT
#pragma once

// The strategy with which this image is built: one file of guest/threads/strategies/. Its functions
// are inlined into the package: no call, no function pointer. The interface has the operations of
// the paper, not list operations: strategies take locks once per operation or once per list.
// Each file declares STRATEGY_NAME, the file's name as text, and what applies of
//   STRATEGY_LOCKS 2                    lock acquisitions in the life of a null thread (tested)
//   STRATEGY_SPECIAL "reason"           "all" strategies leave it out (lock.h has the other words)
//   STRATEGY_READY_ALL "which threads"  has strategy_ready_all; the package is then built with
//                                       STRATEGY_READIES_ALL (catalogue.cmake)
//   STRATEGY_MAY_LEAVE 1                a processor that has stopped may have a thread; default 0
// and defines
//   struct own                          the strategy's per-processor data; initially zero
//   void strategy_setup(unsigned processors)      called before threads run
//   bool strategy_create(struct birth)  makes a ready thread. False if no control block is free:
//                                       the caller then calls strategy_refill() and retries. So it
//                                       need not save arguments in registers for this rare case
//   void strategy_refill(void)          makes or fetches a control block
//   void strategy_ready(struct thread*)           makes a blocked or yielding thread ready
//   void strategy_ready_all(struct thread_queue*) with STRATEGY_READY_ALL: makes blocked threads
//                                       ready, together
//   struct next strategy_next(struct thread* finished, struct stack* stack)
//                                       frees what a finished thread had, unless `stack` is NULL;
//                                       returns a ready thread, or NULL
//   bool strategy_has_ready(void)       would strategy_next find a thread? A hint, without locks
//   void strategy_idle(void)            returns when strategy_next is worth another try, or at
//                                       threads_stopping; loops in .text.idle, in its own cache
//   void strategy_count(struct thread_counts*)    adds the contents of the free lists
//   bool strategy_left(void)            with STRATEGY_MAY_LEAVE: is a thread left? Called after all
//                                       processors have stopped

#include "lists.h"
#include "package.h"
#include "symsim.h"

// A thread to run; with a stack if it is new.
struct next {
    struct thread* thread;
    struct stack* stack;
    bool stack_filled;  // else the dispatcher calls stack_fill()
};

// Arguments of a creation.
struct birth {
    thread_function* function;
    const void* data;  // the argument itself; if `bytes` is not 0, the data to copy
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

// The initial frame of a new thread: its argument, above the return address that stack_new() wrote.
ALWAYS_INLINE void stack_fill(struct stack* stack, const struct thread* thread) {
    stack->argument = thread->argument;
}

ALWAYS_INLINE bool is_new(const struct thread* thread) {
    return thread->context == NULL;
}

struct own;
ALWAYS_INLINE struct own* own(void);  // this processor's
ALWAYS_INLINE struct own* own_of(unsigned processor);

#include SYMSIM_STRATEGY_FILE

// The package's and the strategy's per-processor data, side by side.
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
