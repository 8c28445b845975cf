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
#include "threads.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))

// A control block, about 100 bytes (ALL section 2). The first 16, a line, are all that a thread
// touches which never blocks.
struct thread {
    struct thread* next;        // in the queue or list it is in
    void* context;              // its esp while blocked, registers above; else NULL
    thread_function* function;  // set at creation, with the argument
    void* argument;
    unsigned depth;  // of the free list from here on, where a strategy counts
    unsigned unused[3];
    unsigned copy[THREAD_COPY_BYTES / sizeof(unsigned)];
};
_Static_assert(sizeof(struct thread) == 96, "about 100 bytes");
_Static_assert(offsetof(struct thread, context) == THREAD_CONTEXT, "as switch.S has it");

// A stack as a new thread finds it: as if its function had been called with the argument from
// thread_returned. That word is written once, when the stack is made.
struct stack {
    char room[THREAD_STACK_BYTES - 8];
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
    unsigned number;
    struct lock_slot lock_slot, package_slot;  // the program's and the package's: both may be held
};
_Static_assert(offsetof(struct processor, stack) == PROCESSOR_STACK, "as switch.S has it");
_Static_assert(offsetof(struct processor, frame) == PROCESSOR_FRAME, "as switch.S has it");

// Before a switch and after it the answers differ: the operand stands for "memory", so that gcc
// keeps none across a statement that clobbers it. One that is not used costs nothing.
ALWAYS_INLINE struct processor* this_processor(void) {
    extern unsigned thread_switches;
    struct processor* processor;
    __asm__("movl %%gs:0, %0" : "=r"(processor) : "m"(thread_switches));
    return processor;
}

// ---- a queue of threads; empty if there is no head, and then the tail says nothing: two stores to
// put one in, one to take one out ----
struct thread_queue {
    struct thread *head, *tail;
};

ALWAYS_INLINE void queue_put(struct thread_queue* queue, struct thread* thread) {
    if (queue->head == NULL)
        queue->head = thread;
    else
        queue->tail->next = thread;
    queue->tail = thread;
}

ALWAYS_INLINE struct thread* queue_take(struct thread_queue* queue) {
    struct thread* thread = queue->head;
    if (thread != NULL) queue->head = thread == queue->tail ? NULL : thread->next;
    return thread;
}

// A look without the lock (ALL section 3.1: first tested, then locked).
ALWAYS_INLINE bool queue_has_some(const struct thread_queue* queue) {
    return *(struct thread* const volatile*)&queue->head != NULL;
}

// ---- memory.c: when a free list is empty ----
struct thread* thread_new(void);
struct stack* stack_new(void);
extern unsigned threads_made, stacks_made;

ALWAYS_INLINE void package_lock(struct lock* lock) {
    lock_acquire(lock, &this_processor()->package_slot);
}

ALWAYS_INLINE void package_unlock(struct lock* lock) {
    lock_release(lock, &this_processor()->package_slot);
}

// What a new thread is given.
struct birth {
    thread_function* function;
    const void* data;  // the argument itself, or of what size `bytes` it gets a copy
    size_t bytes;
};

ALWAYS_INLINE void thread_fill(struct thread* thread, struct birth birth) {
    thread->function = birth.function;
    if (birth.bytes == 0) {
        thread->argument = (void*)birth.data;
    } else {
        thread->argument = thread->copy;
        __builtin_memcpy(thread->copy, birth.data, birth.bytes);
    }
    PROBE(PROBE_THREAD_CREATE, thread);
}

#endif
