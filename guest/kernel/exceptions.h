// SPDX-License-Identifier: MIT
#pragma once

// The exceptions that ring 3 can cause, and their names in reports.

#include "interrupts.h"

#define COPROCESSOR_OVERRUN 9  // an operand that goes beyond its segment

static const struct {
    unsigned vector;
    const char* name;
} exceptions[] = {
    {DIVIDE_ERROR, "division error"},
    {DEBUG_EXCEPTION, "debug exception"},
    {BREAKPOINT, "breakpoint"},
    {OVERFLOW, "overflow"},
    {BOUNDS_CHECK, "index out of bounds"},
    {INVALID_OPCODE, "invalid opcode"},
    {COPROCESSOR_OVERRUN, "80387 operand outside its segment"},
    {INVALID_TASK, "invalid task state segment"},
    {NOT_PRESENT, "segment not present"},
    {STACK_FAULT, "stack fault"},
    {GENERAL_PROTECTION, "general protection fault"},
    {PAGE_FAULT, "page fault"},
    {COPROCESSOR_ERROR, "80387 error"},
};
#define EXCEPTIONS (sizeof exceptions / sizeof exceptions[0])

static const char* name_of(unsigned vector) {
    for (unsigned i = 0; i < EXCEPTIONS; i++)
        if (exceptions[i].vector == vector) return exceptions[i].name;
    return "exception";
}
