// SPDX-License-Identifier: MIT

#include "space.h"
#include "test.h"
#include "threads.h"

static void give_back(void* unused) {
    (void)unused;
    processor_donate(processor_given_by());
}

int main(void) {
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQUAL(processor_reason(), UPCALL_DONATED);
        CHECK_EQUAL((unsigned)processor_given_by(), 0);
        CHECK_EQUAL(space_info(0)->processors, 0);
        CHECK_EQUAL(space_info(space_self())->processors, 1);
        if (i == 0) thread_create(give_back, NULL);
        if (i == 0) thread_yield();
    }
    return 0;
}
