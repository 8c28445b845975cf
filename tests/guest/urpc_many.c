// SPDX-License-Identifier: MIT

// More threads call one server than a queue has slots, from two spaces, and one of the calls of
// each thread is served by a thread that lets others run.

#include "space.h"
#include "test.h"
#include "threads.h"
#include "urpc.h"

#define CALLERS 20
#define CALLS 30

static struct urpc_channel* channel;
static struct thread_semaphore finished = THREAD_SEMAPHORE_INIT(0);

static void call_often(void* argument) {
    const unsigned caller = (unsigned)argument;
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned numbers[URPC_WORDS] = {caller, i, (unsigned)space_self()}, result[URPC_WORDS];
        const unsigned procedure = i % 8 == 3;
        CHECK_EQUAL(
            (unsigned)urpc_call(channel, procedure, numbers, URPC_WORDS, result, URPC_WORDS),
            URPC_WORDS);
        for (unsigned word = 0; word < URPC_WORDS; word++)
            CHECK_EQUAL(result[word], numbers[word] + 1);
    }
    thread_semaphore_post(&finished);
}

int main(void) {
    channel = urpc_bind(space_named("server"));
    CHECK(channel != NULL);
    for (unsigned i = 0; i < CALLERS; i++) thread_create(call_often, (void*)i);
    for (unsigned i = 0; i < CALLERS; i++) thread_semaphore_wait(&finished);
    unsigned numbers[URPC_WORDS + 1] = {0}, result;
    CHECK(urpc_call(channel, 0, numbers, URPC_WORDS + 1, &result, 1) == URPC_FAILED);
    CHECK(urpc_call(channel, 0, numbers, URPC_WORDS, &result, 1) == URPC_FAILED);  // no room
    CHECK(urpc_call(channel, 99, numbers, 0, &result, 1) == URPC_FAILED);
    CHECK(urpc_call(channel, -1u, numbers, 0, &result, 1) == URPC_FAILED);
    report(space_self() == 1 ? "calls_1" : "calls_2", CALLERS * CALLS);
    return 0;
}
