// SPDX-License-Identifier: MIT

// A panic on any processor ends the run with status 1 and names the processor: panic.expect.

#include "symsim.h"

static void fail(unsigned cpu, void* text) {
    if (cpu == processors() - 1) panic("%s, on purpose", (const char*)text);
}

int main(void) {
    run_on_all(fail, "failing");
    return 0;
}
