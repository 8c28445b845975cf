// SPDX-License-Identifier: MIT

// Thread management on private copies (ALL section 5.1, claim ALL-61). Each processor has its own
// ready queue, locks and free lists (PRIVATE_COPIES in package.h). It creates, starts and finishes
// null threads one after the other. So processors share only the bus and memory, and the slowdown
// with the number of processors shows how much thread management demands of them.
//
// A thread's argument is the number of threads that follow it. So a thread stores nothing of its
// own, and all that it does is thread management.
//
// Arguments   threads   total of all processors, rounded down to a multiple; default 50000
//             warm      threads each processor runs before the clock starts; default 32
//             strategy  if given, must be what this image is built with
// Results     elapsed_us, threads
// Checks      each processor has run its share to the last thread

#include "image_argument.h"
#include "threads.h"
#include "workload.h"

static unsigned warm, share;  // threads per processor
static uint32_t start_us, elapsed_us;
static struct { LINE_ALIGNED bool timed, ended; } phases[MAX_PROCESSORS];

static void null_thread(void* following);

static void run_threads(unsigned count) {
    thread_create(null_thread, (void*)(uintptr_t)(count - 1));
}

// The last thread of a share: waits until all processors have run theirs. Then it starts the clock,
// or ends its processor's run.
static __attribute__((noinline)) void last_thread(void) {
    unsigned cpu = read_register(BOARD_PROCESSOR);
    if (phases[cpu].timed) {
        PROBE(PROBE_REGION_END, TIMED_REGION);
        phases[cpu].ended = true;
        barrier();
        if (cpu == 0) elapsed_us = board_clock_us() - start_us;
    } else {
        phases[cpu].timed = true;
        barrier();
        if (cpu == 0) start_us = board_clock_us();
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        run_threads(share);
    }
}

static THREADS_FUNCTION void null_thread(void* following) {
    if (following != NULL)
        thread_create(null_thread, (void*)((uintptr_t)following - 1));
    else
        last_thread();
}

static void first_thread(void* unused) {
    (void)unused;
    run_threads(warm);
}

static bool check(void) {
    for (unsigned i = 0; i < processors(); i++)
        if (!phases[i].ended) {
            printf("processor %u has not run its threads to the last one\n", i);
            return false;
        }
    return true;
}

int main(void) {
    check_strategy_argument();
    warm = arg_unsigned("warm", 32);
    share = arg_unsigned("threads", 50000) / processors();
    if (warm == 0 || share == 0) panic("warm and threads must be at least 1 per processor");
    threads_run(first_thread, NULL);
    report("elapsed_us", elapsed_us);
    report("threads", share * processors());
    return check() ? 0 : 1;
}
