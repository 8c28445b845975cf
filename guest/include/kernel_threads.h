// SPDX-License-Identifier: MIT
#pragma once

// Threads of the kernel, for programs that symsim_spaces() builds with THREADS kernel. Each
// operation but those of a free mutex is a system call. Such a program has no other threads. URPC
// compares with them (section 4.1, the threads of Taos).

#include <stdbool.h>

#include "lock.h"

typedef int kernel_thread;  // its name; -1: none
typedef void kernel_thread_function(void* argument);

// -1 if the space has 64 threads already, or if there is no memory for a stack of 8 KB.
kernel_thread kernel_thread_fork(kernel_thread_function* function, void* argument);
_Noreturn void kernel_thread_exit(void);  // as returning from the function
// At once if the thread has ended. -1 if another thread joins it, or for oneself.
int kernel_thread_join(kernel_thread thread);
void kernel_thread_yield(void);
kernel_thread kernel_thread_self(void);
// Waits for a signal. Up to 255 that come before are kept. In an LRPC a thread waits for signals of
// the server, and those of its own space are kept until it is back.
void kernel_thread_block(void);
int kernel_thread_signal(kernel_thread thread);  // -1 if there is no such thread

// A mutex needs the kernel only when a thread has to wait.
struct kernel_mutex {
    struct lock lock;
    bool held;
    struct kernel_mutex_waiter *first, *last;  // if anybody waits
};
#define KERNEL_MUTEX_INIT \
    { LOCK_INIT, false, 0, 0 }
void kernel_mutex_lock(struct kernel_mutex* mutex);
void kernel_mutex_unlock(struct kernel_mutex* mutex);
