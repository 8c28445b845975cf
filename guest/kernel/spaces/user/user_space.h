// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the side of ring 3.

#include "cpu.h"
#include "kernel/spaces/program.h"

extern struct space_given space_given;  // written by the kernel before the program runs

// Why each processor is here, if it is.
extern struct visit { LINE_ALIGNED enum upcall_reason reason; } visits[MAX_PROCESSORS];

static inline const struct processor_info* processor_info(void) {
    return &space_given.on[this_cpu()->number];
}
