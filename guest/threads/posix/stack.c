// SPDX-License-Identifier: MIT

// Stacks with a guard page below: the simulator ends the run at an access to it. The page is
// somewhere in the lowest two pages of the chunk, since a chunk of the heap begins anywhere.

#include <stdint.h>

#include "posix.h"
#include "probes.h"
#include "sections.h"
#include "stdlib.h"

#define PAGE 4096u

// An address in the only page that is wholly in the chunk's lowest two pages.
static const char* guard_in(const char* chunk) {
    return chunk + PAGE - 1;
}

THREADS_FUNCTION void* guarded_stack(size_t bytes) {
    char* chunk = bytes < SIZE_MAX - 2 * PAGE ? malloc(bytes + 2 * PAGE) : NULL;
    if (chunk == NULL) return NULL;
    PROBE(PROBE_PAGE_CLOSED, guard_in(chunk));
    return chunk + 2 * PAGE;
}

THREADS_FUNCTION void guarded_stack_free(void* stack) {
    if (stack == NULL) return;
    char* chunk = (char*)stack - 2 * PAGE;
    PROBE(PROBE_PAGE_OPENED, guard_in(chunk));
    free(chunk);
}
