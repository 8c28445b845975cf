// SPDX-License-Identifier: MIT
#pragma once

// Internal header of guest/threads/posix: POSIX threads, each a thread of the package whose
// argument is its struct pthread. These files are only in programs that ask for POSIX.

#include "pthread.h"
#include "setjmp.h"
#include "threads.h"

struct pthread {
    void* (*start)(void*);  // first, and then the number: PROBE_THREAD_HANDLE
    unsigned number;        // in order of creation; main is 0
    void* argument;
    void* result;
    jmp_buf exit;              // where pthread_exit continues
    struct key_value* values;  // keys.c; NULL until the thread sets one
    void* stack;               // if it needs more than the package's stack; else NULL
    size_t stack_bytes;
    struct lock lock;  // guards the two below
    bool ended, detached;
    struct thread_semaphore done;  // posted at the end, for join
};

void* guarded_stack(size_t bytes);  // stack.c; NULL: no memory
void guarded_stack_free(void* stack);
void values_destroy(struct pthread* self);  // keys.c: the destructors of an ending thread

#include "lib/internal.h"  // the arguments of main()
