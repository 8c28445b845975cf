// SPDX-License-Identifier: MIT

// Creates threads while all other processors are idle (ALL section 4.4, claim ALL-60). One thread
// creates null threads, so far apart that the bus is quiet again before the next. The simulator
// counts the bus transactions of the idle processors. With COUNT_LISTS the package counts accesses
// of its local lists of blocks (claim ALL-39), at a few instructions each.
//
// Arguments   creates    threads created; default 1000
//             apart_us   time from one to the next; default 400
//             strategy   if given, must be what this image is built with
//             pool_limit as well, if the image is built with a POOL_LIMIT (threads/pools.h)
// Results     elapsed_us, threads
//             with COUNT_LISTS:
//             whole_lists    lists of blocks from one access of the pool to the next
//             list_accesses  accesses of local lists in these
// Checks      all threads have run

#include "image_argument.h"
#include "threads.h"
#include "workload.h"

static unsigned creates, apart_us;
static uint32_t elapsed_us;
static volatile unsigned ran;  // only one thread at a time writes it

static void null_thread(void* unused) {
    (void)unused;
    ran = ran + 1;
}

// Between two creations it waits without using the bus, on a processor of its own.
static void first_thread(void* unused) {
    (void)unused;
    wait_until_us(board_clock_us() + apart_us);
    uint32_t start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    for (unsigned i = 0; i < creates; i++) {
        thread_create(null_thread, NULL);
        wait_until_us(board_clock_us() + apart_us);
    }
    PROBE(PROBE_REGION_END, TIMED_REGION);
    elapsed_us = board_clock_us() - start_us;
}

int main(void) {
    check_strategy_argument();
#ifdef POOL_LIMIT
    if (arg_unsigned("pool_limit", POOL_LIMIT) != POOL_LIMIT)
        panic("this image has pool_limit %u", POOL_LIMIT);
#endif
    creates = arg_unsigned("creates", 1000);
    apart_us = arg_unsigned("apart_us", 400);
    threads_run(first_thread, NULL);
    report("elapsed_us", elapsed_us);
    report("threads", creates);
#ifdef COUNT_LISTS
    struct thread_counts counts = threads_count();
    report("whole_lists", counts.whole_lists);
    report("list_accesses", counts.list_accesses);
#endif
    if (ran != creates) printf("%u threads ran, not %u\n", ran, creates);
    return ran == creates ? 0 : 1;
}
