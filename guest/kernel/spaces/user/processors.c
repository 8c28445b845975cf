// SPDX-License-Identifier: MIT

// The processors of a space, and its memory: what lib/processors.c and lib/heap.c are to a program
// without a kernel.

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "lib/internal.h"
#include "symsim.h"
#include "user_space.h"

struct visit visits[MAX_PROCESSORS];

enum upcall_reason processor_reason(void) {
    return visits[processor()].reason;
}

int processor_given_by(void) {
    return processor_info()->given_by[space_given.number];
}

void processor_donate(int space) {
    system_call(CALL_DONATE, (uint32_t)space, 0, 0);
}

unsigned processor(void) {
    return this_cpu()->number;
}

unsigned processors(void) {
    return space_given.processors;
}

uint32_t clock_us(void) {
    return read_register(BOARD_CLOCK_US);
}

struct heap heap_bounds(void) {
    return (struct heap){space_given.heap_begin, space_given.heap_end};
}

unsigned thread_switches;  // as in threads/processor.c
