// SPDX-License-Identifier: MIT
#pragma once

// The barrier this image is built with: one file of guest/barriers/, named by BARRIER in
// symsim_guest(). Each file there gives
//
//   struct barrier                    `static struct barrier mine;`
//   void barrier_setup(struct barrier*, unsigned count)  by one processor, before anybody waits
//   void barrier_wait(struct barrier*, struct barrier_slot*)  nobody leaves before all have come
//   BARRIER_NAME                      the file's name as text
//
// The processors that meet are 0 .. count - 1. barrier_wait is in .text.spin as a whole, a function
// that is called: all of it is waiting for others. Order: stores before an arrival are seen by all
// that leave (ordering.h rule 2; the locked decrements as rule 4).

#include <stdbool.h>

#include "cpu.h"
#include "ordering.h"
#include "sections.h"

// What a processor keeps between its episodes; the caller's, seen by nobody else.
struct barrier_slot {
    unsigned self;    // its number
    unsigned sense;   // what flags are set to in this episode, 1 or 0 in turns
    unsigned parity;  // which set of flags this episode uses; only some barriers have two
};

#define BARRIER_SLOT(number) ((struct barrier_slot){.self = (number), .sense = 1, .parity = 0})

// A flag or counter that shares its line with nothing.
struct barrier_word {
    LINE_ALIGNED volatile unsigned word;
};

static inline __attribute__((always_inline)) void barrier_spin(const volatile unsigned* word,
                                                               unsigned value) {
    while (*word != value) {
    }
    compiler_barrier();
}

// Whether this was the last of those the word counts. The 386 has no fetch-and-add, but its locked
// decrement leaves in the zero flag whether the new value is 0, which is all that is asked.
static inline __attribute__((always_inline)) bool barrier_count_down(volatile unsigned* word) {
    bool last;
    __asm__ volatile("lock decl %1" : "=@ccz"(last), "+m"(*word) : : "memory");
    return last;
}

#include SYMSIM_BARRIER_FILE
