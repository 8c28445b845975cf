// SPDX-License-Identifier: MIT

// The critical sections of thread management on private copies (ALL section 5.1, claim ALL-61). A
// null thread passes two sections, in which it enters the central ready queue and leaves it. Each
// processor runs the two, with acquisition and release of the lock, on a queue and a lock of its
// own (PRIVATE_COPIES in package.h). private_threads.c runs thread management as a whole.
//
// Arguments   threads  pairs of sections of all processors, rounded down to a multiple; default
//                      50000
//             warm     pairs of each processor before the clock starts; default 32
// Results     elapsed_us, threads
// Checks      each thread that left a queue is the one that entered it

#include "threads/central_queue.h"
#include "workload.h"

static struct processor own[MAX_PROCESSORS];
static struct thread thread;     // in all queues; a queue of one writes nothing in it
static volatile unsigned wrong;  // takes of anything else
static unsigned warm, share;     // pairs of sections per processor
static uint32_t start_us, elapsed_us;

// The loop keeps so little in registers that nothing is saved on the stack, which would use the
// bus.
static THREADS_FUNCTION void run_sections(unsigned count) {
    for (; count != 0; count--) {
        central_put(&thread);
        if (central_take() != &thread) wrong++;
    }
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    processor_setup(cpu, &own[cpu], sizeof own[cpu]);
    run_sections(warm);
    barrier();
    if (cpu == 0) start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    run_sections(share);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    barrier();
    if (cpu == 0) elapsed_us = board_clock_us() - start_us;
}

int main(void) {
    warm = arg_unsigned("warm", 32);
    share = arg_unsigned("threads", 50000) / processors();
    if (warm == 0 || share == 0) panic("warm and threads must be at least 1 per processor");
    run_on_all(run, NULL);
    report("elapsed_us", elapsed_us);
    report("threads", share * processors());
    if (wrong != 0) printf("a queue had another thread than the one put there: %u times\n", wrong);
    return wrong == 0 ? 0 : 1;
}
