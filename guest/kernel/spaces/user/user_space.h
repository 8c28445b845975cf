// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the side of ring 3.

#include "cpu.h"
#include "kernel/spaces/program.h"

extern struct space_given space_given;  // written by the kernel before the program runs

// Why each processor is here, if it is.
extern struct visit {
    LINE_ALIGNED enum upcall_reason reason;
    int given_by;  // who may want the processor back, or NO_SPACE
} visits[MAX_PROCESSORS];

// An upcall has brought a processor.
void processor_came(struct cpu* cpu, enum upcall_reason reason, int from);
