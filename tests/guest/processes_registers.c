// SPDX-License-Identifier: MIT

// A process's registers survive preemption: general, flags, fs, gs, and all of the 80387.

#include "process.h"
#include "registers.h"

static void work(void* argument) {
    const unsigned value = (unsigned)argument;
    keep_integers(value * 0x10001, 40);
    keep_segments(value);
    if (value % 4 != 3) keep_fpu(value);  // some do not use it
    keep_integers(value * 0x10001, 20);
}

// Sees the 80387 as if it had never been used.
static void fresh(void* unused) {
    (void)unused;
    uint16_t control, status;
    __asm__ volatile("fnstcw %0; fnstsw %1" : "=m"(control), "=m"(status));
    CHECK_EQUAL(control & 0xf3f, 0x33f);
    CHECK_EQUAL(status & 0x3800, 0);
}

int main(void) {
    int number[8];
    for (unsigned i = 0; i < 8; i++) number[i] = process_spawn(work, (void*)i, ANY_PROCESSOR);
    CHECK_EQUAL(process_wait(process_spawn(fresh, NULL, 0)), 0);
    for (unsigned i = 0; i < 8; i++) CHECK_EQUAL(process_wait(number[i]), 0);
    CHECK_EQUAL(process_wait(process_spawn(fresh, NULL, 0)), 0);
    return 0;
}
