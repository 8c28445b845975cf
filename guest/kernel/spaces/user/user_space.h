// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the side of ring 3.

#include "cpu.h"
#include "kernel/spaces/program.h"

extern struct space_given space_given;  // written by the kernel before the program runs

// An upcall has brought a processor.
void processor_came(struct cpu* cpu, enum upcall_reason reason, int from);
