// SPDX-License-Identifier: MIT
#pragma once

// Each file of this kernel, and of what it shares, includes this one first (linux.cmake). A
// processor that waits for a lock answers requests to flush its TLB: the holder may wait for that
// (flush.c). Which thread runs where is this kernel's own policy (placement.c).

#ifndef __ASSEMBLER__

#include <stdbool.h>

struct task;
bool thread_may_run(const struct task* task, unsigned processor);
unsigned thread_home(const struct task* task);
extern unsigned thread_queues;  // the bits of a processor's number that choose its queue
#define KERNEL_MAY_RUN(task, processor) thread_may_run(task, processor)
#define KERNEL_HOME(task) thread_home(task)
#define KERNEL_QUEUE_OF(processor) ((processor)&thread_queues)

#define spinlock_take spinlock_take_without_answer
#include "kernel/shared/spinlock.h"
#undef spinlock_take

void answer_flush(void);

static inline void spinlock_take(struct spinlock* lock) {
    while (exchange_byte(&lock->taken, 1) != 0)
        while (lock->taken) answer_flush();
    compiler_barrier();
}

#endif
