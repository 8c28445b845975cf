// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the thread package; programs use threads.h. C files and switch.S include it.

#define PROCESSOR_STACK 4  // offsets for switch.S, asserted below
#define PROCESSOR_FRAME 8
#define THREAD_CONTEXT 4
#ifdef SYMSIM_POSIX
#define STACK_ARGUMENT (64 * 1024 - 4)
#else
#define STACK_ARGUMENT (16 * 1024 - 4)
#endif

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

// 1: each processor has its own ready queue and runs the first thread on it, as if it were alone
// (ALL section 5.1, workloads/private_threads.c). With local free lists no structure is then
// shared, but the central lists from which the first blocks and stacks come.
#ifndef PRIVATE_COPIES
#define PRIVATE_COPIES 0
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))

// A control block, about 100 bytes (ALL section 2). A thread that never blocks needs only the first
// 16 bytes, one line.
struct thread {
    struct thread* next;        // in its queue or free list
    void* context;              // esp of a blocked thread, with its registers pushed; else NULL
    thread_function* function;  // set at creation, as is the argument
    void* argument;
    unsigned depth;            // local_lists.h: number of blocks from here to the end of the list
    struct thread* next_list;  // next list in the pool, if this block is the first of a list
    unsigned unused[2];
    unsigned copy[THREAD_COPY_BYTES / sizeof(unsigned)];
};
_Static_assert(sizeof(struct thread) == 96, "about 100 bytes");
_Static_assert(offsetof(struct thread, context) == THREAD_CONTEXT, "as switch.S has it");

// A stack as a new thread finds it: as if thread_returned had called the thread's function with its
// argument. The return address is written once, when the stack is made.
struct stack {
    unsigned room[THREAD_STACK_BYTES / 4 - 2];
    void* returns_to;
    union {
        void* argument;
        struct stack* next;  // while the stack is free
    };
};
_Static_assert(offsetof(struct stack, argument) == STACK_ARGUMENT, "as switch.S has it");
_Static_assert(sizeof(struct stack) >= 100 * sizeof(struct thread), "ALL section 2");

#ifdef SYMSIM_POSIX
void* guarded_stack(size_t bytes);  // posix/stack.c
#endif

// The package's per-processor data, followed by the strategy's (struct own). %gs is the segment
// that begins here. A Symmetry program has private data at one address, which each process maps to
// its own memory; there, as here, an access costs one load.
struct processor {
    LINE_ALIGNED struct processor* self;
    void* stack;  // esp of the dispatcher while a thread runs
    void* frame;  // ebp of the dispatcher, if ebp is a frame pointer
    struct thread* current;
#ifdef SYMSIM_SPACES
    struct cpu* cpu;  // for this_cpu()
#endif
    struct lock_slot lock_slot, package_slot;  // program's and package's: both may be in use
#ifdef THREADS_CHECKED
    unsigned held;  // how many of the package's locks this processor holds
#endif
};
_Static_assert(offsetof(struct processor, stack) == PROCESSOR_STACK, "as switch.S has it");
_Static_assert(offsetof(struct processor, frame) == PROCESSOR_FRAME, "as switch.S has it");

#ifdef SYMSIM_SPACES
_Static_assert(offsetof(struct processor, cpu) == PROCESSOR_CPU, "as cpu.h has it");
#endif

#if PRIVATE_COPIES
// At one address, which processor_setup() maps to each processor's own memory, as a Symmetry
// program has private data. So the code is the same as with shared data.
extern struct private_page {
    struct lock lock __attribute__((aligned(4096)));
    LINE_ALIGNED struct thread_queue queue;  // the ready queue
} private_page;
#endif

#ifdef STRATEGY_READIES_ALL
void thread_signal_all(struct thread_queue* queue);  // to all of the queue, which is left as it is
#endif

// To be called on that processor before it runs threads. `bytes` includes the strategy's part.
void processor_setup(unsigned number, struct processor* processor, size_t bytes);

// The result may differ after a switch. The operand stands for memory, so gcc does not keep the
// result across a statement that clobbers memory. An unused result costs nothing.
ALWAYS_INLINE struct processor* this_processor(void) {
    extern unsigned thread_switches;
    struct processor* processor;
    __asm__("movl %%gs:0, %0" : "=r"(processor) : "m"(thread_switches));
    return processor;
}

// Set once, when the first thread has finished. A processor that then finds no ready thread stops.
extern struct threads_end { LINE_ALIGNED volatile bool stopping; } threads_end;
#define threads_stopping threads_end.stopping

// ---- locks of the package: a processor holds one at a time, so there is no lock order. With
// THREADS_CHECKED an image panics at a violation, and at other forbidden uses. ----
#ifdef THREADS_CHECKED
#define THREADS_CHECK(condition, text) ((condition) ? (void)0 : panic("threads: %s", text))
#define STACK_MARK 0x5AFE57AC  // fills the last words of a stack, which no thread should reach
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

// False if another processor holds the lock. But if there is no lock_try, waits for the lock.
ALWAYS_INLINE bool package_lock_unless_held(struct lock* lock) {
    if (LOCK_HAS_TRY) return package_try(lock);
    package_lock(lock);
    return true;
}

ALWAYS_INLINE void package_unlock(struct lock* lock) {
    lock_release(lock, &this_processor()->package_slot);
    held_locks_are(0);
}

// After package_unlock() and before a read without a lock: the stores of the section are visible
// before the read. Most locks are released by an exchange, which has this effect by itself.
#if LOCK_RELEASE_IS_STORE
#define SECTION_BEFORE_READS() stores_before_loads()
#else
#define SECTION_BEFORE_READS() ((void)0)
#endif

#endif
