// SPDX-License-Identifier: MIT
#pragma once

// The barrier with which this image is built: one file of guest/barriers/, named by BARRIER in
// symsim_guest(). Each of these files defines
//
//   struct barrier                    `static struct barrier mine;`
//   void barrier_setup(struct barrier*, unsigned count)  one processor calls it before any wait;
//                                     also again, for another count, when none waits. Slots then
//                                     begin as BARRIER_SLOT has them
//   void barrier_wait(struct barrier*, struct barrier_slot*)  returns after all have arrived
//
// and declares what it is, as a lock does (lock.h): BARRIER_NAME, the name of the file as text, and
// if they apply BARRIER_ALIAS, BARRIER_PARAMETER and BARRIER_SPECIAL.
//
// Processors 0 .. count - 1 take part. barrier_wait() is an out-of-line function in .text.spin,
// because all its time is waiting. Order: all that leave see the stores made before any arrival
// (ordering.h rule 2; a locked decrement orders as rule 4).

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
