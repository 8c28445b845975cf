// SPDX-License-Identifier: MIT
#pragma once

// Device registers that a lock uses in programs of processes: from `begin` to `end`, both multiples
// of a page. The kernel lets ring 3 access them (kernel/processes/memory.c). A program has one
// lock, so there is one range. The symbols are weak, since each object of the program may define
// them.

#define RING3_REGISTERS(begin, end)                            \
    __attribute__((weak)) const char ring3_uses_registers = 1; \
    RING3_SYMBOL(ring3_registers_begin, begin);                \
    RING3_SYMBOL(ring3_registers_end, end)
#define RING3_SYMBOL(name, value) __asm__(".weak " #name "\n.set " #name ", " RING3_TEXT(value))
#define RING3_TEXT(value) #value

extern const char ring3_uses_registers __attribute__((weak));
extern char ring3_registers_begin[] __attribute__((weak));
extern char ring3_registers_end[] __attribute__((weak));
