// SPDX-License-Identifier: MIT

#include <stddef.h>

#include "urpc.h"

static int twice(const unsigned* argument, unsigned words, unsigned* result) {
    *result = words + 2 * *argument;
    return 1;
}

static int write_null(const unsigned* argument, unsigned words, unsigned* result) {
    (void)argument, (void)words, (void)result;
    volatile unsigned* volatile nowhere = NULL;
    *nowhere = 1;
    return 0;
}

int main(void) {
    static urpc_procedure* const procedures[] = {twice, write_null};
    urpc_serve(procedures, 2);
}
