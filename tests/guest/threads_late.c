// SPDX-License-Identifier: MIT

// threads_run() returns only when no thread is ready, even if threads are created after other
// processors have stopped. The first thread creates one other and finishes, so all processors but
// that of the other thread stop. After DELAY_US that thread creates MORE threads.

#include "cpu.h"
#include "test.h"
#include "threads.h"

#define DELAY_US 500  // stopping takes less than 50
#define MORE (2 * MAX_PROCESSORS)

static struct { LINE_ALIGNED volatile unsigned threads; } ran;

static void count(void* unused) {
    (void)unused;
    __asm__ volatile("lock incl %0" : "+m"(ran.threads) : : "memory", "cc");
}

static void late(void* unused) {
    (void)unused;
    uint32_t start_us = clock_us();
    while (clock_us() - start_us < DELAY_US) {
    }
    for (unsigned i = 0; i < MORE; i++) thread_create(count, NULL);
}

static void first_thread(void* unused) {
    (void)unused;
    thread_create(late, NULL);
}

int main(void) {
    threads_run(first_thread, NULL);
    CHECK_EQUAL(ran.threads, MORE);
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    CHECK_EQUAL(counts.stacks_free, counts.stacks_made);
    return 0;
}
