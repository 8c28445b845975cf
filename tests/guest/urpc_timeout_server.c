// SPDX-License-Identifier: MIT

#include "symsim.h"
#include "threads.h"
#include "urpc.h"

// With an argument all calls are answered when so many microseconds have passed since the first
// one.
static int wait_us(const unsigned* argument, unsigned words, unsigned* result) {
    static uint32_t first;
    (void)words;
    if (first == 0) first = clock_us();
    while (*argument != 0 && clock_us() - first < *argument) thread_yield();
    *result = *argument;
    return 1;
}

int main(void) {
    static urpc_procedure* const procedures[] = {wait_us};
    urpc_serve(procedures, 1);
}
