// SPDX-License-Identifier: MIT

// A server that checks what its clients must not be able to do: to change an argument during the
// call, or to send one that is too long.

#include "test.h"
#include "threads.h"
#include "urpc.h"

static unsigned sum_of(const unsigned* argument, unsigned words) {
    unsigned sum = 0;
    for (unsigned i = 0; i < words; i++) sum += argument[i];
    return sum;
}

static int sum(const unsigned* argument, unsigned words, unsigned* result) {
    CHECK(words <= URPC_WORDS);
    *result = sum_of(argument, words);
    thread_yield();
    CHECK_EQUAL(sum_of(argument, words), *result);
    return 1;
}

int main(void) {
    static urpc_procedure* const procedures[] = {sum};
    urpc_serve(procedures, 1);
}
