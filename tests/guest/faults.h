// SPDX-License-Identifier: MIT
#pragma once

// For guest programs that provoke exceptions: FAULT(vector, error code, statement) executes the
// statement and panics unless exactly this exception is raised. The handler does not return to the
// statement. On one processor at a time.

#include <setjmp.h>

#include "interrupts.h"
#include "paging.h"
#include "test.h"

static jmp_buf fault_escape;
static struct trap_frame fault;  // of the last exception
static uint32_t fault_cr2;

static void fault_caught(struct trap_frame* frame) {
    fault = *frame;
    fault_cr2 = read_cr2();
    longjmp(fault_escape, 1);
}

static inline void catch_faults(void) {
    for (unsigned vector = 0; vector <= COPROCESSOR_ERROR; vector++)
        on_interrupt(vector, fault_caught);
}

static inline void check_fault(const char* file, int line, const char* text, unsigned vector,
                               unsigned error) {
    if (fault.vector != vector || (vector != VECTORS && fault.error != error))
        panic("%s:%d: %s: exception %u, error code 0x%x, eip 0x%x, cr2 0x%x; expected %u, 0x%x",
              file, line, text, fault.vector, fault.error, fault.eip, fault_cr2, vector, error);
}

#define FAULT(expected, code, ...)                                         \
    do {                                                                   \
        fault.vector = VECTORS;                                            \
        if (setjmp(fault_escape) == 0) {                                   \
            __VA_ARGS__;                                                   \
        }                                                                  \
        check_fault(__FILE__, __LINE__, #__VA_ARGS__, (expected), (code)); \
    } while (0)
#define NO_FAULT(...) FAULT(VECTORS, 0, __VA_ARGS__)

// Checks that the instruction at the label faulted.
#define FAULT_AT(label)                           \
    do {                                          \
        extern char label[];                      \
        CHECK_EQUAL(fault.eip, (uintptr_t)label); \
    } while (0)
