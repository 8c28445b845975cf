// SPDX-License-Identifier: MIT

#include "urpc.h"

static int sum(const unsigned* argument, unsigned words, unsigned* result) {
    *result = 0;
    for (unsigned i = 0; i < words; i++) *result += argument[i];
    return 1;
}

int main(void) {
    static urpc_procedure* const procedures[] = {sum};
    urpc_serve(procedures, 1);
}
