// SPDX-License-Identifier: MIT
#pragma once

// What spaces_lender.c and spaces_keeper.c share.

#include <stdbool.h>

#define LENDER 0
#define KEEPER 1
#define ACCOMPLICE 2

struct kept {
    volatile unsigned begun;  // how often main() has
    volatile unsigned count;  // goes up while the keeper has a processor
    volatile bool done;
};
