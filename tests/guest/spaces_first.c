// SPDX-License-Identifier: MIT

// One processor goes back and forth between two spaces, which learn each time why they have it.
// A thread that donates the processor does not run on; the next one finds it again.

#include "space.h"
#include "test.h"
#include "threads.h"

#define SECOND 1

static void donate(void* unused) {
    (void)unused;
    processor_donate(SECOND);
    panic("the thread of a donated processor runs on");
}

static void see_it_returned(void* unused) {
    (void)unused;
    CHECK_EQUAL(processor_reason(), UPCALL_RETURNED);
    CHECK(processor_given_by() == NO_SPACE);
    CHECK_EQUAL(space_info(SECOND)->processors, 0);
    CHECK_EQUAL(space_info(SECOND)->state, SPACE_RUNS);
    donate(NULL);
}

int main(void) {
    CHECK_EQUAL(processor_reason(), UPCALL_START);
    CHECK_EQUAL(space_info(space_self())->processors, 1);
    CHECK_EQUAL(space_info(SECOND)->state, SPACE_NEW);
    CHECK(space_named("second") == SECOND && space_named("third") == NO_SPACE);
    processor_donate(space_self());
    processor_donate(MAX_SPACES);
    processor_donate(NO_SPACE);
    thread_create(donate, NULL);
    thread_create(see_it_returned, NULL);
    thread_yield();
    CHECK_EQUAL(processor_reason(), UPCALL_ENDED);
    CHECK(processor_given_by() == NO_SPACE);
    CHECK_EQUAL(space_info(SECOND)->state, SPACE_ENDED);
    processor_donate(SECOND);  // there is no such space any more
    report("upcalls", 4);
    return 0;
}
