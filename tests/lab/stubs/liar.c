// SPDX-License-Identifier: MIT
// A hostile server of calculator.idl: `add` says how many words the next answer to `lookup` has,
// and which count of values is in it.
#include <stdbool.h>

#include "urpc.h"

static int words;
static unsigned count;

static int add(const unsigned* argument, unsigned number, unsigned* result) {
    if (number != 2) return URPC_FAILED;
    words = (int)argument[0];
    count = argument[1];
    *result = 0;
    return 1;
}

static int lookup(const unsigned* argument, unsigned number, unsigned* result) {
    (void)argument, (void)number;
    for (int i = 0; i < URPC_WORDS; i++) result[i] = 0xbad;
    result[0] = 1;
    result[1] = count;
    return words;
}

int main(void) {
    static urpc_procedure* const procedures[] = {add, lookup};
    urpc_serve(procedures, 2);
}
