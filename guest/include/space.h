// SPDX-License-Identifier: MIT
#pragma once

// Programs in address spaces of their own: symsim_spaces() in guest/spaces.cmake;
// docs/reference/spaces.md. The kernel (guest/kernel/spaces) only moves processors between them. A
// program is written as one with threads: main() is its first thread, and its threads run on the
// processors that its space has. The space ends when main() returns.

#include <stdbool.h>
#include <stdint.h>

#include "ordering.h"

#define MAX_SPACES 8
#define NO_SPACE (-1)
#define SPACE_NAME_BYTES 16
#define SPACE_FAULTED 256  // the status of a space that the kernel has ended

// What the kernel says about each space, in a page that all can read and none can write.
enum space_state { SPACE_NEW, SPACE_RUNS, SPACE_ENDED };  // new: it never had a processor
struct space_info {
    LINE_ALIGNED volatile unsigned processors;  // how many it has
    volatile unsigned state;                    // an enum space_state
    volatile unsigned asked;        // changes when space_share() may have another answer
    volatile unsigned preemptions;  // how often the kernel has taken a processor from it
    char name[SPACE_NAME_BYTES];
};
const struct space_info* space_info(int space);  // NULL if there is no such space
int space_self(void);
int space_named(const char* name);  // NO_SPACE if there is none
unsigned spaces(void);              // how many there are in the image

// ---- memory that two spaces share: mapped when both have asked for it ----
#define SHARED_PAGES_MOST 16
enum share { SHARE_REFUSED, SHARE_ASKED, SHARE_MAPPED };
// Asks for `pages` zero-filled pages with the other space, which the two of them call `channel`.
// SHARE_ASKED: the other one has not asked yet; ask again when `asked` has changed. SHARE_MAPPED:
// the pages are at *memory, in both spaces. SHARE_REFUSED: other arguments than the other space's,
// too much memory or too many requests, or no such space.
enum share space_share(int other, unsigned channel, unsigned pages, void** memory);

// ---- processors ----
// Gives the processor that calls to another space. It comes back by an upcall, so whoever calls is
// a dispatcher with nothing to keep on its stack. Returns only if there is no such space any more.
//
// A space need not give a processor back: the kernel takes it, if a space that has lent it waits
// for longer than a quantum (argument quantum_us), and the space that had it is `preempted` there.
// When it gets this processor again, by whatever way, it continues where it was, without an upcall.
void processor_donate(int space);
// Why this processor is here, as the last upcall has told.
enum upcall_reason {
    UPCALL_START,     // given by the kernel when the run began
    UPCALL_DONATED,   // by another space
    UPCALL_RETURNED,  // by a space to which this one had donated it
    UPCALL_ENDED,     // the space that had it has ended
    UPCALL_TAKEN,     // by the kernel from another space, which is preempted
};
enum upcall_reason processor_reason(void);
// The space that has lent it and may want it back, or NO_SPACE: it has donated it, or the kernel
// has taken it from there.
int processor_given_by(void);

// What the kernel says about each processor, in the same page.
struct processor_info {
    LINE_ALIGNED volatile signed char given_by[MAX_SPACES];  // for each space, as above
    volatile unsigned preempted;  // a bit a space, set if it is preempted on this processor
};

// ---- the end ----
// The run ends when all spaces have ended but those that have called this.
void space_serves(void);
