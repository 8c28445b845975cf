// SPDX-License-Identifier: MIT
#pragma once

#include "memory.h"
#include "program.h"

// Maps the executable and its first stack. Returns 0, or -ENOEXEC, -ENOMEM.
struct start {
    uintptr_t entry, stack;
};
int program_map(struct memory* memory, const struct program* program, struct start* start);
