// SPDX-License-Identifier: MIT
#pragma once

// Threads of the kernel, for programs that symsim_spaces() builds with THREADS kernel: each operation
// but those of a free mutex is a system call. Such a program has no other threads. URPC compares
// with them (section 4.1, the threads of Taos).

#include <stdbool.h>

#include "lock.h"

typedef int kernel_thread;  // its name; -1: none
typedef void kernel_thread_function(void* argument);

// -1 if there are too many threads, or no memory for a stack of 8 KB.
kernel_thread kernel_thread_fork(kernel_thread_function* function, void* argument);
_Noreturn void kernel_thread_exit(void);  // as returning from the function
int kernel_thread_join(kernel_thread thread);  // -1 if another one joins it
void kernel_thread_yield(void);
kernel_thread kernel_thread_self(void);
// A signal that comes before the thread blocks is kept, one of them.
void kernel_thread_block(void);
int kernel_thread_signal(kernel_thread thread);  // -1 if there is no such thread in this space

// A mutex needs the kernel only when a thread has to wait.
#define KERNEL_MUTEX_WAITERS 16
struct kernel_mutex {
    struct lock lock;
    bool held;
    unsigned waiting;
    kernel_thread waiters[KERNEL_MUTEX_WAITERS];
};
#define KERNEL_MUTEX_INIT \
    { LOCK_INIT, false, 0, {0} }
void kernel_mutex_lock(struct kernel_mutex* mutex);
void kernel_mutex_unlock(struct kernel_mutex* mutex);
