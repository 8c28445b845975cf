// SPDX-License-Identifier: MIT
#pragma once

// The barrier with which this image is built: one file of guest/barriers/, named by BARRIER in
// symsim_guest(). Each of these files defines
//
//   struct barrier                    `static struct barrier mine;`
//   void barrier_setup(struct barrier*, unsigned count)  one processor calls it before any wait;
//                                     the barrier is all zero then
//   void barrier_wait(struct barrier*, struct barrier_slot*)  returns after all have arrived
// and declares, as lock.h has it, BARRIER_NAME and what applies of BARRIER_ALIAS and _SPECIAL.
//
// Processors 0 .. count - 1 take part. barrier_wait() is out of line in .text.spin: all its time is
// waiting. All that leave see the stores made before any arrival (ordering.h rules 2 and 4).

#include <stdbool.h>

#include "cpu.h"
#include "ordering.h"
#include "sections.h"

// A processor's state from one episode to the next, provided by the caller and private to it.
struct barrier_slot {
    unsigned self;    // the processor's number
    unsigned sense;   // value to which this episode sets flags, 1 and 0 alternately
    unsigned parity;  // which set of flags this episode uses; only some barriers have two
};

#define BARRIER_SLOT(number) ((struct barrier_slot){.self = (number), .sense = 1, .parity = 0})

// A flag or counter in a line of its own.
struct barrier_word {
    LINE_ALIGNED volatile unsigned word;
};

static inline __attribute__((always_inline)) void barrier_spin(const volatile unsigned* word,
                                                               unsigned value) {
    while (*word != value) {
    }
    compiler_barrier();
}

// Decrements the word; true for the last of those it counts. The 386 has no fetch-and-add, but its
// locked decrement sets the zero flag if the new value is 0, and no more is needed.
static inline __attribute__((always_inline)) bool barrier_count_down(volatile unsigned* word) {
    bool last;
    __asm__ volatile("lock decl %1" : "=@ccz"(last), "+m"(*word) : : "memory");
    return last;
}

#include SYMSIM_BARRIER_FILE

// For programs: clears the barrier first. So it may be set up again, for another count, when nobody
// waits; slots then begin as BARRIER_SLOT has them. (barrier_setup)(...) is the file's function.
static inline void barrier_set_up(struct barrier* barrier, unsigned count) {
    *barrier = (struct barrier){0};
    barrier_setup(barrier, count);
}
#define barrier_setup(barrier, count) barrier_set_up(barrier, count)
