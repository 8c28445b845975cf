// SPDX-License-Identifier: MIT

// All processes sleep, and nobody is left to wake them: the simulator ends the run.

#include "process.h"
#include "symsim.h"

static volatile unsigned word;

static void sleep_on_it(void* unused) {
    (void)unused;
    process_sleep(&word, 0);
}

int main(void) {
    report("before", 1);
    process_wait(process_spawn(sleep_on_it, NULL, ANY_PROCESSOR));
    report("after", 1);
    return 0;
}
