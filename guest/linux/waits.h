// SPDX-License-Identifier: MIT
#pragma once

// For kernel/shared/spinlock.h: a processor that waits for a lock answers requests to flush its TLB,
// for which the lock's holder may wait (flush.c).

#ifndef __ASSEMBLER__
void answer_flush(void);
#define SPINLOCK_WAITS() answer_flush()
#endif
