// SPDX-License-Identifier: MIT

// Its server has another client, which is hostile. All of its calls are answered, and in time.

#include "space.h"
#include "test.h"
#include "urpc.h"

#define CALLS 60
#define WITHIN_US 1000000

int main(void) {
    const uint32_t begin = clock_us();
    struct urpc_channel* channel = urpc_bind(space_named("server"));
    CHECK(channel != NULL);
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned argument[3] = {i, 7 * i, 5};
        unsigned result = 0;
        CHECK_EQUAL((unsigned)urpc_call(channel, 0, argument, 3, &result, 1), 1);
        CHECK_EQUAL(result, 8 * i + 5);
    }
    CHECK(clock_us() - begin < WITHIN_US);
    report("calls", CALLS);
    return 0;
}
