// SPDX-License-Identifier: MIT

// When memory has no room for a further process, process_spawn says so, and the others continue.

#include "process.h"
#include "test.h"

static void work(void* unused) {
    (void)unused;
}

int main(void) {
    unsigned number = 0;
    while (process_spawn(work, NULL, ANY_PROCESSOR) >= 0) number++;
    CHECK(number > 20 && number < MAX_PROCESSES - 1);
    for (unsigned i = 1; i <= number; i++) CHECK_EQUAL(process_wait((int)i), 0);
    return 0;
}
