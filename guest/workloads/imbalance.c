// SPDX-License-Identifier: MIT

// As many equal threads as processors, placed so that one processor gets two and one none (ALL
// section 3.5, claim ALL-40). With unlocked local queues that processor runs its second thread
// after all others are done. With a central queue the idle processor takes it.
//
// Arguments   us       length of each thread; default 200000
// Results     elapsed_us   from the first creation to the end of the last thread
//             us
//
// Threads are placed in rotation (unlocked-queues.h). An empty thread takes the place of the last
// one, so that the last one goes to the processor of the first.

#include "cpu.h"
#include "threads.h"
#include "workload.h"

static struct lock end_lock = LOCK_INIT;
static struct { LINE_ALIGNED unsigned value; } left;
static struct thread* waits_for_end;
static unsigned us;
static uint32_t end_us;

static void nothing(void* unused) {
    (void)unused;
}

static void equal(void* unused) {
    (void)unused;
    wait_until_us(board_clock_us() + us);
    lock_acquire(&end_lock, thread_lock_slot());
    bool last = --left.value == 0;
    if (last) end_us = board_clock_us();
    lock_release(&end_lock, thread_lock_slot());
    if (last) thread_signal(waits_for_end);
}

static void first_thread(void* unused) {
    (void)unused;
    unsigned all = processors();
    left.value = all;
    uint32_t start_us = board_clock_us();
    for (unsigned i = 0; i + 1 < all; i++) thread_create(equal, NULL);
    thread_create(nothing, NULL);
    thread_create(equal, NULL);
    lock_acquire(&end_lock, thread_lock_slot());
    waits_for_end = thread_self();
    thread_block(&end_lock);
    report("elapsed_us", end_us - start_us);
}

int main(void) {
    check_lock_argument();
    us = arg_unsigned("us", 200000);
    threads_run(first_thread, NULL);
    return left.value == 0 ? 0 : 1;
}
