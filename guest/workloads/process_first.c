// SPDX-License-Identifier: MIT
#include "process.h"
#include "symsim.h"

static volatile unsigned counts[8];

static void work(void* argument) {
    unsigned me = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < 20000; i++) counts[me]++;
    printf("process %d on processor %u done at %u us\n", process_self(), processor(), clock_us());
}

int main(void) {
    int p[8];
    for (unsigned i = 0; i < 8; i++) p[i] = process_spawn(work, (void*)i, (int)(i % processors()));
    for (unsigned i = 0; i < 8; i++) printf("%d: %d\n", p[i], process_wait(p[i]));
    volatile char* null = (volatile char*)4;
    (void)null;
    report("done", 1);
    return 0;
}
