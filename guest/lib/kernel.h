// SPDX-License-Identifier: MIT
#pragma once

// Internal header of guest/lib for descriptor and interrupt tables.

#include <stdint.h>

// Memory operand of lgdt and lidt.
struct table_register {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

// The interrupt table; the first caller fills it.
struct table_register interrupt_table(void);
