// SPDX-License-Identifier: MIT
#pragma once

// What the loader hands over: a Linux program, as a boot loader hands over a disk in memory. It
// begins at a page of its own, above the kernel (sim/image/linux_program.cpp writes it).

#include <stdint.h>

struct program {
    uint32_t file, file_bytes;  // the executable: offset from here, a multiple of a page
    uint32_t text;  // offset of the texts, each with its NUL: path, arguments, environment
    uint32_t arguments, variables;
    uint32_t bytes;  // of all
};

// The address of the program; the loader writes it. 0: there is none.
extern uint32_t symsim_program;
