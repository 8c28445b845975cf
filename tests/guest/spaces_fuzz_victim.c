// SPDX-License-Identifier: MIT

// Its memory stays as it is, and it gets its turns.

#include "space.h"
#include "test.h"
#include "threads.h"

#define WORDS 256
#define DURATION_US 400000
#define ROUNDS_LEAST 20

static unsigned memory[WORDS];

int main(void) {
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < WORDS; i++) memory[i] = 7 * i;
    unsigned rounds = 0;
    for (; clock_us() - begin < DURATION_US; rounds++) {
        for (unsigned i = 0; i < WORDS; i++) CHECK_EQUAL(memory[i], 7 * i);
        thread_yield();
        for (unsigned i = 0; i < spaces(); i++) CHECK(space_info((int)i)->state <= SPACE_ENDED);
    }
    CHECK(rounds >= ROUNDS_LEAST);
    report("survived", 1);
    return 0;
}
