// SPDX-License-Identifier: MIT

// Calls with a time limit: of a server that answers late, and more of them than there are slots. A
// slot is free again when the late answer has come, which nobody sees. A server that serves nobody
// cannot be bound.

#include "space.h"
#include "test.h"
#include "threads.h"
#include "urpc.h"

#define LATE_US 200000
#define LIMIT_US 15000
#define MORE_US 100000  // until a processor of this space sees that the time is over
#define CALLERS 20

static struct urpc_channel* channel;
static unsigned results[CALLERS];
static struct thread_semaphore finished = THREAD_SEMAPHORE_INIT(0);

static void call_late(void* of_this_call) {
    unsigned* result = of_this_call;
    const unsigned argument = LATE_US;
    const uint32_t begin = clock_us();
    CHECK_EQUAL((unsigned)urpc_call_for(channel, 0, &argument, 1, result, 1, LIMIT_US),
                (unsigned)URPC_FAILED);
    CHECK(clock_us() - begin >= LIMIT_US);
    CHECK(clock_us() - begin < LIMIT_US + MORE_US);
    thread_semaphore_post(&finished);
}

int main(void) {
    CHECK(urpc_bind_for(space_self(), LIMIT_US) == NULL);
    const uint32_t begin = clock_us();
    CHECK(urpc_bind_for(space_named("silent"), LIMIT_US) == NULL);
    CHECK(clock_us() - begin >= LIMIT_US && clock_us() - begin < LIMIT_US + MORE_US);
    channel = urpc_bind_for(space_named("server"), 1000000);
    CHECK(channel != NULL);
    for (unsigned i = 0; i < CALLERS; i++) thread_create(call_late, &results[i]);
    for (unsigned i = 0; i < CALLERS; i++) thread_semaphore_wait(&finished);
    for (unsigned i = 0; i < 40; i++) {
        const unsigned argument = 0;
        unsigned result;
        CHECK_EQUAL((unsigned)urpc_call_for(channel, 0, &argument, 1, &result, 1, 1000000), 1);
        CHECK_EQUAL(result, argument);
    }
    for (unsigned i = 0; i < CALLERS; i++) CHECK_EQUAL(results[i], 0);
    report("calls", CALLERS + 40);
    return 0;
}
