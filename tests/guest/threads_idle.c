// SPDX-License-Identifier: MIT

// One thread computes for `us`, default 3000, while all other processors idle. Then all processors
// compute for that time together, and afterwards all but one idle again. tests/run/threads_test.cpp
// runs this program and checks what idling costs.

#include "test.h"
#include "threads.h"

static void compute(void* us) {
    uint32_t start_us = clock_us();
    while (clock_us() - start_us < (uintptr_t)us) {
    }
}

static void first_thread(void* argument) {
    uintptr_t us = *(const unsigned*)argument;
    struct thread_task tasks[64];
    compute((void*)us);
    for (unsigned i = 0; i < processors(); i++) thread_fork(&tasks[i], compute, (void*)us);
    for (unsigned i = 0; i < processors(); i++) thread_join(&tasks[i]);
    compute((void*)us);
}

int main(void) {
    unsigned us = arg_unsigned("us", 3000);
    uint32_t start_us = clock_us();
    threads_run(first_thread, &us);
    CHECK(clock_us() - start_us < 4 * us);  // 8 processors one after another: 10 * us
    return 0;
}
