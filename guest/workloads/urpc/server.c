// SPDX-License-Identifier: MIT

// The server of null.c: a procedure that does nothing, and one that copies its argument.

#include "urpc.h"

static int nothing(const unsigned* argument, unsigned words, unsigned* result) {
    (void)argument, (void)words, (void)result;
    return 0;
}

static int copy(const unsigned* argument, unsigned words, unsigned* result) {
    for (unsigned i = 0; i < words; i++) result[i] = argument[i];
    return (int)words;
}

int main(void) {
    static urpc_procedure* const procedures[] = {nothing, copy};
    urpc_serve(procedures, sizeof procedures / sizeof procedures[0]);
}
