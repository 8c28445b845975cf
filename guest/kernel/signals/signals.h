// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the harness with which WKS measured (section 4.1), in place of a kernel. Each
// worker has a processor of its own, 1 and up. A scheduler at user level, on processor 0, preempts
// a worker by an interrupt, whose handler spins on a flag until the worker may continue. The
// processes that would run meanwhile are only simulated: they take time and do nothing.

#include "kernel/processes/processes.h"

#define SIGNAL_BIN 1  // of the SLIC

struct worker {
    LINE_ALIGNED struct process process;
    process_function* function;
    void* argument;
    unsigned simulated;                   // processes beside it on its processor
    volatile unsigned ended;              // written by the worker
    volatile unsigned yields;             // written by the worker: it has stopped by itself
    volatile unsigned refuses;            // written by the worker: it was to stop and has not
    LINE_ALIGNED volatile unsigned stop;  // written by the scheduler; the worker spins on it

    // The scheduler's own.
    LINE_ALIGNED uint32_t until_us;  // end of the quantum, of the extension, or of the stop
    bool extended, stopped;
};
extern struct worker workers[MAX_PROCESSORS];  // by processor

// scheduler.c
void setup_scheduler(void);
void begin_worker(struct worker* worker);          // its first quantum
void schedule_until_ended(struct worker* worker);  // preempts workers until this one has ended
