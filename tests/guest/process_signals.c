// SPDX-License-Identifier: MIT

// Mutual exclusion with the harness `signals`, which has one worker on each processor but the
// first.

#define WORKER_PROCESSORS (processors() - 1)
#define ROUNDS \
    { 100, 100 }
#include "process_locks.c"
