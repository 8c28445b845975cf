// SPDX-License-Identifier: MIT

// Sub-pages got and released in ring 3, on nodes: mutual exclusion while their holders are
// preempted. One process of each processor uses the lock, since a processor can get a sub-page once
// (guest/locks/sub-page.h).

#define WORKER_PROCESSORS processors()
#define ROUNDS   \
    {100, 0}, {  \
        100, 100 \
    }
#include "process_locks.c"

#include "sub_page.h"

_Static_assert(sizeof(struct context_block) == SUB_PAGE_BYTES,
               "LINE 128: a context block shares its sub-page with nothing");
