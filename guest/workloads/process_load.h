// SPDX-License-Identifier: MIT
#pragma once

// The load of R. Wisniewski, L. Kontothanassis and M. Scott, "Scalable Spin Locks for
// Multiprogrammed Systems", TR 454, University of Rochester, 1993, section 4.1. Each of P
// processors has one worker. At a multiprogramming level of m, (m - 1) P background processes
// compete with the workers for their processors. They only compute, and use no bus and no lock.
//
//   processor   0           1           2        ...      P-1          m = 1.5, P = 4
//             worker 0    worker 1    worker 2          worker P-1
//             background  background
//
// main runs on processor 0 and sleeps. In the harness `signals` it is the scheduler and has a
// processor of its own, so P must be smaller than the machine's number of processors.
//
// Arguments   quantum_us        of the kernel; default 20000
//             workers           P; default all processors of the machine
//             multiprogramming  m in thousandths; default 1000. (m - 1) P is rounded, halves up
//             kernel            if given, must be what this image is built with
// Results     workers, background (numbers of processes)
//             elapsed_us        from the common start to the end of the last worker
//
// main is process 0. Of all processes only the workers end before the run does.

#include "image_argument.h"
#include "process.h"
#include "workload.h"

#ifndef PROCESS_KERNEL  // the kernel that the image is built with: KERNEL of symsim_guest()
#define PROCESS_KERNEL "local"
#endif

typedef void worker_function(unsigned worker);

// Written by main before the workers start, then only read.
static struct {
    LINE_ALIGNED unsigned workers;
    unsigned background;
    worker_function* work;
} load;

static struct { LINE_ALIGNED volatile unsigned open; } gate;
static struct { LINE_ALIGNED volatile uint32_t end_us; } ends[MAX_PROCESSORS];

static void worker_process(void* number) {
    unsigned worker = (uintptr_t)number;
    while (!gate.open) process_sleep(&gate.open, 0);
    load.work(worker);
    ends[worker].end_us = board_clock_us();
}

// Ends with the run, when main returns.
static void background_process(void* number) {
    (void)number;
    for (;;) compiler_barrier();
}

// Reads the arguments and reports them. Before the first worker is needed, for load.workers.
static void load_setup(void) {
    unsigned workers = arg_unsigned("workers", processors());
    unsigned level = arg_unsigned("multiprogramming", 1000);
    if (workers < 1 || workers > processors())
        panic("workers must be 1 to %u, the machine's processors", processors());
    uint64_t background = ((uint64_t)workers * (level - 1000) + 500) / 1000;
    if (level < 1000 || 1 + workers + background > MAX_PROCESSES)
        panic("multiprogramming must be 1000 (one process a processor) to %u",
              1000 * ((MAX_PROCESSES - 1) / workers));
    check_lock_argument();
    check_image_argument("kernel", PROCESS_KERNEL);
    load.workers = workers;
    load.background = background;
    report("workers", load.workers);
    report("background", load.background);
}

static int spawn(process_function* function, unsigned argument, unsigned processor) {
    int process = process_spawn(function, (void*)argument, processor);
    if (process < 0)
        panic("argument workers: %u; with kernel %s no process can be on so many processors",
              load.workers, PROCESS_KERNEL);
    return process;
}

// Runs work(0) to work(P - 1), each in its process, and reports the time. A processor's first
// quantum begins when its processes are created. They are created at random times, so that the
// processors do not begin in step: it takes many quanta until their variation brings them out of
// it.
static void load_run(worker_function* work) {
    int process[MAX_PROCESSORS];
    unsigned quantum_us = arg_unsigned("quantum_us", 20000);
    load.work = work;
    for (unsigned i = 0; i < load.workers; i++) {
        wait_until_us(board_clock_us() + random_below(quantum_us));
        process[i] = spawn(worker_process, i, i);
        for (unsigned n = i; n < load.background; n += load.workers)
            spawn(background_process, n, i);
    }

    uint32_t start_us = board_clock_us();
    gate.open = 1;
    process_wake(&gate.open, load.workers);
    uint32_t longest_us = 0;
    for (unsigned i = 0; i < load.workers; i++) {
        process_wait(process[i]);
        uint32_t took_us = ends[i].end_us - start_us;
        if (took_us > longest_us) longest_us = took_us;
    }
    report("elapsed_us", longest_us);
}
