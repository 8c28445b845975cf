// SPDX-License-Identifier: MIT

#include "threads.h"
#include "urpc.h"

static int increment(const unsigned* argument, unsigned words, unsigned* result) {
    for (unsigned i = 0; i < words; i++) result[i] = argument[i] + 1;
    return (int)words;
}

static int yield_and_increment(const unsigned* argument, unsigned words, unsigned* result) {
    for (unsigned i = 0; i < 3; i++) thread_yield();
    return increment(argument, words, result);
}

int main(void) {
    static urpc_procedure* const procedures[] = {increment, yield_and_increment};
    urpc_serve(procedures, 2);
}
