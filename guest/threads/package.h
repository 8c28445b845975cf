// SPDX-License-Identifier: MIT
#pragma once

// Between the files of the thread package; programs use threads.h. C and switch.S read this file.

#define PROCESSOR_STACK 4  // offsets, asserted below
#define PROCESSOR_FRAME 8
#define THREAD_CONTEXT 4
#define STACK_ARGUMENT (16 * 1024 - 4)

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "lock.h"
#include "probes.h"
#include "sections.h"
#include "string.h"
#include "symsim.h"
#include "threads.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))

// A control block, about 100 bytes (ALL section 2). The first 16, a line, are all that a thread
// needs that never blocks.
struct thread {
    struct thread* next;        // in the queue or list it is in
    void* context;              // its esp while blocked, registers above; else NULL
    thread_function* function;  // set at creation, with the argument
    void* argument;
    unsigned depth;            // local_lists.h: how many blocks its list has from here on
    struct thread* next_list;  // and the next list in the pool, if it is the first of one
    unsigned unused[2];
    unsigned copy[THREAD_COPY_BYTES / sizeof(unsigned)];
};
_Static_assert(sizeof(struct thread) == 96, "about 100 bytes");
_Static_assert(offsetof(struct thread, context) == THREAD_CONTEXT, "as switch.S has it");

// A stack as a new thread finds it: as if its function had been called with the argument from
// thread_returned. That word is written once, when the stack is made.
struct stack {
    unsigned room[THREAD_STACK_BYTES / 4 - 2];
    void* returns_to;
    union {
        void* argument;
        struct stack* next;  // while it is free
    };
};
_Static_assert(offsetof(struct stack, argument) == STACK_ARGUMENT, "as switch.S has it");
_Static_assert(sizeof(struct stack) >= 100 * sizeof(struct thread), "ALL section 2");

// What the package keeps for each processor, followed by what the strategy keeps (its struct own).
// %gs begins here: a Symmetry program has such data at one address, which each process maps to
// memory of its own, and an access costs one load.
struct processor {
    LINE_ALIGNED struct processor* self;
    void* stack;  // esp of its dispatcher while a thread runs
    void* frame;  // and ebp, where that is a frame pointer
    struct thread* current;
    struct lock_slot lock_slot, package_slot;  // the program's and the package's: both may be held
#ifdef THREADS_CHECKED
    unsigned held;  // of the package's locks
#endif
};
_Static_assert(offsetof(struct processor, stack) == PROCESSOR_STACK, "as switch.S has it");
_Static_assert(offsetof(struct processor, frame) == PROCESSOR_FRAME, "as switch.S has it");

// On that processor, before it runs threads; `bytes` with the strategy's part.
void processor_setup(unsigned number, struct processor* processor, size_t bytes);

// Before a switch and after it the answers differ: the operand stands for "memory", so that gcc
// keeps none across a statement that clobbers it. One that is not used costs nothing.
ALWAYS_INLINE struct processor* this_processor(void) {
    extern unsigned thread_switches;
    struct processor* processor;
    __asm__("movl %%gs:0, %0" : "=r"(processor) : "m"(thread_switches));
    return processor;
}

// Set once, when the first thread has finished: who then finds nothing to run leaves.
extern volatile bool threads_stopping;

// ---- the package's locks: no two are held at once, so there is no order to keep. An image built
// with THREADS_CHECKED panics if it is otherwise, or at other things that nobody may do. ----
#ifdef THREADS_CHECKED
#define THREADS_CHECK(condition, text) ((condition) ? (void)0 : panic("threads: %s", text))
#define STACK_MARK 0x5AFE57AC  // the last words of a stack, which nobody should reach
#define STACK_MARKS 16
#else
#define THREADS_CHECK(condition, text) ((void)0)
#endif

ALWAYS_INLINE void held_locks_are(unsigned count) {
    (void)count;
#ifdef THREADS_CHECKED
    THREADS_CHECK(this_processor()->held == 1 - count, "not one lock of the package at a time");
    this_processor()->held = count;
#endif
}

ALWAYS_INLINE void package_lock(struct lock* lock) {
    held_locks_are(1);
    lock_acquire(lock, &this_processor()->package_slot);
}

ALWAYS_INLINE bool package_try(struct lock* lock) {
    if (!lock_try(lock, &this_processor()->package_slot)) return false;
    held_locks_are(1);
    return true;
}

ALWAYS_INLINE void package_unlock(struct lock* lock) {
    lock_release(lock, &this_processor()->package_slot);
    held_locks_are(0);
}

#endif
