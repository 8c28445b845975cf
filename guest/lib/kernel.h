// SPDX-License-Identifier: MIT
#pragma once

// Between the files of guest/lib that need the processor's protection.

#include <stdint.h>

// What lgdt and lidt read.
struct table_register {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

// The interrupt table, filled by whoever asks first.
struct table_register interrupt_table(void);
