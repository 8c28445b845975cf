// SPDX-License-Identifier: MIT
#pragma once

// The kernel's pages, and what every space maps of the kernel.

#include <stdbool.h>
#include <stdint.h>

#include "paging.h"

extern struct space* kernel_space;  // for ring 0 when it runs no program

// Takes at most `most` pages from the end of memory, a quarter of it at most, and makes
// kernel_space of the first one. To be called before anybody has allocated memory.
void setup_pages(unsigned most);
// True if there are still `number` pages.
bool pages_left(unsigned number);
// `number` zero-filled pages, one after the other; NULL if there are none left.
char* take_pages(unsigned number);
// Maps the kernel's pages for ring 0.
void map_kernel_pages(struct space* space);
// Maps the devices: the clock's page for ring 3 too, and the board's with the flags `board`.
void map_devices(struct space* space, unsigned board);
// Where the kernel's pages begin, and memory that programs can have ends.
uintptr_t memory_of_programs(void);
