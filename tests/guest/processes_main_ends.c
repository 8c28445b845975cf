// SPDX-License-Identifier: MIT

// Process 0 is ended by a fault. The others continue, and the run ends with the last of them.

#include "process.h"
#include "test.h"

static void work(void* unused) {
    (void)unused;
    CHECK_EQUAL(process_wait(0), PROCESS_FAULTED);
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 500) {
    }
    report("worked", 1);
}

int main(void) {
    process_spawn(work, NULL, ANY_PROCESSOR);
    *(volatile unsigned*)0 = 1;
    return 0;
}
