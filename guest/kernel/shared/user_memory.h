// SPDX-License-Identifier: MIT
#pragma once

// What ring 3 may access: a system call's arguments are not trusted.

#include <stdbool.h>
#include <stdint.h>

#include "paging.h"

// True if ring 3 of the space can read these bytes; and write them, if `right` is PAGE_WRITABLE.
// The kernel itself may write to every page that is present (PRM 6.4.1.3).
bool user_range(const struct space* space, uintptr_t begin, uint32_t bytes, unsigned right);
// The address in kernel_space of a word that ring 3 can read; NULL if it cannot.
volatile unsigned* user_word(const struct space* space, uintptr_t address);
// Writes text of ring 3 to the console or the results. 0; -1 if it is none, too long, or not its.
int user_write(const struct space* space, uint32_t device, uintptr_t text, uint32_t bytes);
