// SPDX-License-Identifier: MIT
#pragma once

#include "nodes.h"

// A file with the path of a program, its arguments and variables, each with its NUL.
struct texts {
    struct node* file;
    uint32_t arguments, variables;
};

// Maps an executable and its first stack. Returns 0, -ENOEXEC, -ENOMEM.
struct start {
    uintptr_t entry, stack;
};
int program_map(struct memory* memory, struct node* file, const struct texts* texts,
                struct start* start);
