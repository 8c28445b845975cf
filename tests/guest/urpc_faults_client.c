// SPDX-License-Identifier: MIT

// A server that faults in a call: the caller gets an error, and continues; so does the server's other
// client.

#include "space.h"
#include "test.h"
#include "urpc.h"

int main(void) {
    CHECK(urpc_bind(space_self()) == NULL);
    CHECK(urpc_bind(MAX_SPACES) == NULL);
    struct urpc_channel* channel = urpc_bind(space_named("server"));
    CHECK(channel != NULL);
    unsigned argument = 20, result = 0;
    CHECK_EQUAL((unsigned)urpc_call(channel, 0, &argument, 1, &result, 1), 1);
    CHECK_EQUAL(result, 41);
    CHECK_EQUAL((unsigned)urpc_call(channel, 2, &argument, 1, &result, 1), (unsigned)URPC_FAILED);
    CHECK_EQUAL((unsigned)urpc_call(channel, 0, &argument, 1, &result, 0), (unsigned)URPC_FAILED);
    CHECK_EQUAL((unsigned)urpc_call(channel, 1, &argument, 1, &result, 1), (unsigned)URPC_FAILED);
    CHECK_EQUAL((unsigned)urpc_call(channel, 0, &argument, 1, &result, 1), (unsigned)URPC_FAILED);
    CHECK_EQUAL(space_info(space_named("server"))->state, SPACE_ENDED);
    report("calls_failed", 4);
    return 0;
}
