// SPDX-License-Identifier: MIT

// Three spaces that never give a processor away, on fewer processors: each of them gets its turns,
// and its registers survive preemption: general, flags, fs, gs, and all of the 80387.

#include "registers.h"
#include "space.h"

static void check_fresh_fpu(void) {
    uint16_t control, status;
    __asm__ volatile("fnstcw %0; fnstsw %1" : "=m"(control), "=m"(status));
    CHECK_EQUAL(control & 0xf3f, 0x33f);
    CHECK_EQUAL(status & 0x3800, 0);
}

int main(void) {
    const unsigned value = (unsigned)space_self() + 1;
    CHECK_EQUAL(processor_reason(), value <= processors() ? UPCALL_START : UPCALL_TAKEN);
    check_fresh_fpu();
    for (unsigned i = 0; i < 6; i++) {
        keep_integers(value * 0x10001, 8);
        keep_segments(value + i);
        if (value != 3) keep_fpu(value + i);  // one does not use it
    }
    CHECK(processors() > 1 || space_info(space_self())->preemptions > 10);
    if (value == 3) check_fresh_fpu();
    return 0;
}
