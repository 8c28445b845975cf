// SPDX-License-Identifier: MIT

// Null threads of ALL Figures 3.1 and 3.2 (claims ALL-05 to ALL-22, ALL-41). There are as many
// threads as processors. Each counts itself, creates its successor and finishes, until each
// processor has run its share of the total. With work in each thread (thread_work.h): Figures 3.3,
// 5.2 to 5.4 and ALL-13.
//
// Arguments   threads      total of all processors, rounded down to a multiple; default 1000000
//             warm         threads each processor runs before the clock starts; default 32
//             work_us      with WORK: mean work of a thread, uniform; default 300
//             store_turns  with WORK_STORES: iterations of the work's loop between two stores; the
//                          stores lengthen the work; 0, the default: no stores
//             program, strategy    if given, must be what this image is built with
// Results     elapsed_us, threads, us_per_thread (elapsed_us / threads * processors)
//             first_us     time after which the first processor had run its share (ALL-41)
// Checks      each processor has run its share
//
// The warm-up fills free lists and caches. A processor that has run its share stays in its last
// thread until all others have, too.

#include "cpu.h"
#include "image_argument.h"
#include "thread_work.h"
#include "threads.h"
#include "workload.h"

static struct {
    LINE_ALIGNED volatile unsigned ran;  // written by its own processor
    volatile unsigned until;
    uint32_t done_us;
} shares[MAX_PROCESSORS];

static unsigned warm, share;  // threads per processor
static uint32_t start_us;

// The first thread blocks here, so that it occupies no processor.
static struct lock end_lock = LOCK_INIT;
static struct thread* waits_for_end;

static void null_thread(void* unused);

// The last thread of a share: waits until all processors have run theirs. Then it starts the clock,
// or ends the run.
static __attribute__((noinline)) void last_thread(unsigned cpu) {
    bool timed = shares[cpu].until != warm;
    if (timed) {
        PROBE(PROBE_REGION_END, TIMED_REGION);
        shares[cpu].done_us = board_clock_us();
    }
    barrier();
    if (!timed) {
        shares[cpu].until = warm + share;
        if (cpu == 0) start_us = board_clock_us();
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        thread_create(null_thread, NULL);
    } else if (cpu == 0) {
        lock_acquire(&end_lock, thread_lock_slot());
        thread_signal(waits_for_end);
        lock_release(&end_lock, thread_lock_slot());
    }
}

static void null_thread(void* unused) {
    (void)unused;
    thread_work();  // first, so that no register must be saved across it
    unsigned cpu = read_register(BOARD_PROCESSOR);
    unsigned ran = shares[cpu].ran + 1;
    shares[cpu].ran = ran;
    if (ran != shares[cpu].until)
        thread_create(null_thread, NULL);
    else
        last_thread(cpu);
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < processors(); i++) shares[i].until = warm;  // before any thread starts
    for (unsigned i = 0; i < processors(); i++) thread_create(null_thread, NULL);
    lock_acquire(&end_lock, thread_lock_slot());
    waits_for_end = thread_self();
    thread_block(&end_lock);
}

static void report_times(void) {
    uint32_t first_us = UINT32_MAX, last_us = 0;
    for (unsigned i = 0; i < processors(); i++) {
        uint32_t done_us = shares[i].done_us - start_us;
        if (done_us < first_us) first_us = done_us;
        if (done_us > last_us) last_us = done_us;
    }
    report("elapsed_us", last_us);
    report("first_us", first_us);
    report("threads", share * processors());
    report_thousandths("us_per_thread", (int64_t)last_us * 1000 / share);
}

static bool check(void) {
    for (unsigned i = 0; i < processors(); i++)
        if (shares[i].ran != warm + share) {
            printf("processor %u ran %u threads, not %u\n", i, shares[i].ran, warm + share);
            return false;
        }
    return true;
}

int main(void) {
    check_lock_argument();
    check_strategy_argument();
    check_image_argument("program", PROGRAM);
    thread_work_setup();
    warm = arg_unsigned("warm", 32);
    share = arg_unsigned("threads", 1000000) / processors();
    if (warm == 0 || share == 0) panic("warm and threads must be at least 1 per processor");
    threads_run(first_thread, NULL);
    report_times();
    return check() ? 0 : 1;
}
