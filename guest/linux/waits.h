// SPDX-License-Identifier: MIT
#pragma once

// Each file of this kernel, and of what it shares, includes this one first (linux.cmake). A
// processor that waits for a lock answers requests to flush its TLB: the holder may wait for that
// (flush.c).

#ifndef __ASSEMBLER__

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
