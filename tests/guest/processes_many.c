// SPDX-License-Identifier: MIT

// As many processes as there may be, and more.

#include "process.h"
#include "test.h"

static volatile unsigned ended;

static void work(void* unused) {
    (void)unused;
    process_wait(0x7fffffff);
    ended = 1;
}

int main(void) {
    unsigned number = 0;
    while (process_spawn(work, NULL, ANY_PROCESSOR) >= 0) number++;
    CHECK_EQUAL(number, MAX_PROCESSES - 1);
    for (unsigned i = 1; i <= number; i++) CHECK_EQUAL(process_wait((int)i), 0);
    CHECK_EQUAL(process_spawn(work, NULL, ANY_PROCESSOR), (uint64_t)-1);
    CHECK_EQUAL(ended, 1);
    return 0;
}
