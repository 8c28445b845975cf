// SPDX-License-Identifier: MIT
#pragma once

// The code of the litmus tests: two functions for each thread of tests.h.

#include "string.h"
#include "symsim.h"
#include "tests.h"

// Arguments are in registers, so that no load from the stack comes in between. The function itself
// waits first, because the call has left a store in the write buffer.
#define REGISTERS __attribute__((regparm(3)))
typedef REGISTERS void thread(volatile unsigned* x, volatile unsigned* y, unsigned* results,
                              unsigned turns, unsigned gap);

static inline __attribute__((always_inline)) void wait_turns(unsigned turns) {
    if (turns != 0) __asm__ volatile("1: decl %0; jnz 1b" : "+r"(turns));
}

#define F                                                    \
    __asm__ volatile("lock orl $0, (%%esp)" : : : "memory"); \
    wait_turns(gap);
#define W(location, value) \
    *location = value;     \
    wait_turns(gap);
#define R(number, location) \
    r##number = *location;  \
    wait_turns(gap);
#define X(number, location, value)                                                    \
    r##number = value;                                                                \
    __asm__ volatile("xchgl %0, %1" : "+r"(r##number), "+m"(*location) : : "memory"); \
    wait_turns(gap);

// Compiles each thread twice: with accesses right after one another, and with a gap in between. The
// former, which needs no gap, passes its value as the number of a region that begins.
// Loaded values stay in registers to the end, so that no store of the harness comes in between.
#define THREAD(name, body)                                                                   \
    static inline __attribute__((always_inline)) void name(                                  \
        volatile unsigned* x, volatile unsigned* y, unsigned* results, const unsigned gap) { \
        unsigned r0 = 0, r1 = 0;                                                             \
        (void)x, (void)y, (void)gap;                                                         \
        body;                                                                                \
        compiler_barrier();                                                                  \
        results[0] = r0;                                                                     \
        results[1] = r1;                                                                     \
    }                                                                                        \
    static REGISTERS void name##_tight(volatile unsigned* x, volatile unsigned* y,           \
                                       unsigned* results, unsigned turns, unsigned gap) {    \
        wait_turns(turns);                                                                   \
        PROBE(PROBE_REGION_BEGIN, gap);                                                      \
        name(x, y, results, 0);                                                              \
    }                                                                                        \
    static REGISTERS void name##_spaced(volatile unsigned* x, volatile unsigned* y,          \
                                        unsigned* results, unsigned turns, unsigned gap) {   \
        wait_turns(turns);                                                                   \
        name(x, y, results, gap);                                                            \
    }
#define TEST_FUNCTIONS(name, a, b, c, d) \
    THREAD(test_##name##_0, a)           \
    THREAD(test_##name##_1, b)           \
    THREAD(test_##name##_2, c)           \
    THREAD(test_##name##_3, d)
#define BOTH(name) \
    { name##_tight, name##_spaced }
#define IS_THERE(text) (sizeof(text) > 1)
#define ROW(name, a, b, c, d)                                              \
    {#name,                                                                \
     2 + IS_THERE(#c) + IS_THERE(#d),                                      \
     {BOTH(test_##name##_0), BOTH(test_##name##_1), BOTH(test_##name##_2), \
      BOTH(test_##name##_3)}},

LITMUS_TESTS(TEST_FUNCTIONS)
