// SPDX-License-Identifier: MIT

// What a process costs, which has an address space of its own: the heavyweight thread of URPC
// section 3.3.1. Argument: calls (200).
//
//   fork_join_ns  a process from its creation to its end, the parent waiting for each

#include "process.h"
#include "symsim.h"

static void nothing(void* unused) {
    (void)unused;
}

static void fork_join(unsigned number) {
    for (; number > 0; number--) process_wait(process_spawn(nothing, NULL, ANY_PROCESSOR));
}

int main(void) {
    const unsigned calls = arg_unsigned("calls", 200);
    if (calls == 0) panic("argument calls: 0; at least 1");
    fork_join(1);
    const uint32_t begin = clock_us();
    fork_join(calls);
    report("fork_join_ns", (uint64_t)(clock_us() - begin) * 1000 / calls);
    return 0;
}
