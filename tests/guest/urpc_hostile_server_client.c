// SPDX-License-Identifier: MIT

// The victim of a hostile server. Its calls there end in time, with any result or none; its memory
// is as it was; and its calls to another server are answered.

#include "space.h"
#include "test.h"
#include "threads.h"
#include "urpc.h"

#define LIMIT_US 20000
#define WITHIN_US 1500000
#define GUARD 0x5AFE57AC

static void call_hostile(struct urpc_channel* channel) {
    const unsigned argument[2] = {1, 2};
    unsigned result[URPC_WORDS + 2];
    for (unsigned i = 0; i < URPC_WORDS + 2; i++) result[i] = GUARD;
    const int words = urpc_call_for(channel, 0, argument, 2, &result[1], 1, LIMIT_US);
    CHECK(words == URPC_FAILED || words == 0 || words == 1);
    CHECK(result[0] == GUARD);
    for (unsigned i = 2; i < URPC_WORDS + 2; i++) CHECK_EQUAL(result[i], GUARD);
}

static void call_honest(struct urpc_channel* channel, unsigned turn) {
    const unsigned argument[2] = {turn, 5};
    unsigned result = 0;
    CHECK_EQUAL((unsigned)urpc_call(channel, 0, argument, 2, &result, 1), 1);
    CHECK_EQUAL(result, turn + 5);
}

int main(void) {
    const uint32_t begin = clock_us();
    struct urpc_channel* honest = urpc_bind(space_named("honest"));
    CHECK(honest != NULL);
    struct urpc_channel* hostile = urpc_bind_for(space_named("hostile"), 200000);
    for (unsigned i = 0; i < 5; i++) {
        if (hostile != NULL) call_hostile(hostile);
        call_honest(honest, i);
    }
    CHECK(clock_us() - begin < WITHIN_US);
    report("survived", 1);
    return 0;
}
