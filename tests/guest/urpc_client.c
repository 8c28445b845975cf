// SPDX-License-Identifier: MIT

// Calls of a server in another space, whose results are checked.

#include "space.h"
#include "test.h"
#include "urpc.h"

#define CALLS 1000

int main(void) {
    struct urpc_channel* channel = urpc_bind(space_named("server"));
    CHECK(channel != NULL);
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned argument[2] = {i, 7 * i}, sum = 0;
        CHECK_EQUAL((unsigned)urpc_call(channel, 0, argument, 2, &sum, 1), 1);
        CHECK_EQUAL(sum, 8 * i);
    }
    report("calls", CALLS);
    return 0;
}
