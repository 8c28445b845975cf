// SPDX-License-Identifier: MIT
#pragma once

// For guest programs that test themselves: a failed check says what it expected and panics.

#include "symsim.h"

#define CHECK(condition) \
    ((condition) ? (void)0 : panic("%s:%d: expected %s", __FILE__, __LINE__, #condition))

#define CHECK_EQUAL(value, expected) check_equal(__FILE__, __LINE__, #value, (value), (expected))

static inline void check_equal(const char* file, int line, const char* text, uint64_t value,
                               uint64_t expected) {
    if (value != expected)
        panic("%s:%d: %s is 0x%llx, expected 0x%llx", file, line, text, value, expected);
}
