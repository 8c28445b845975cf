// SPDX-License-Identifier: MIT
#pragma once

// Part of locks that ask the kernel not to be preempted, by the interface of Symunix: J. Edler, J.
// Lipkis and E. Schonberg, "Process Management for Highly Parallel UNIX Systems", USENIX Workshop
// on Unix and Supercomputers, 1988; WKS section 3. For programs of processes (process.h).

#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"

#include "process.h"

static inline __attribute__((always_inline)) void preemption_refuse(void) {
    process_block()->unpreemptable = 1;
    compiler_barrier();
}

// A process that was to be preempted meanwhile yields.
static inline __attribute__((always_inline)) void preemption_allow(void) {
    compiler_barrier();
    process_block()->unpreemptable = 0;
    if (process_block()->warning) process_yield();
}
