// SPDX-License-Identifier: MIT

// Exceptions in ring 3: the space is ended with a report, and the others go on. An exception in
// ring 0 is a bug of the kernel, and stops the run.

#include "kernel.h"

#include "kernel/devices.h"
#include "kernel/exceptions.h"

#define REPORT_MOST 160

void space_fails(struct trap_frame* frame, const char* why) {
    char text[REPORT_MOST];
    const int length = snprintf(text, sizeof text, "space %s ended: %s\n",
                                this_processor()->space->image->name, why);
    device_write(CONSOLE_BYTE, text, (unsigned)length);
    space_end(frame, SPACE_FAULTED);
}

static void fault(struct trap_frame* frame) {
    if ((frame->cs & 3) != 3)
        panic("the kernel: %s, error code 0x%x, eip 0x%x, cr2 0x%x", name_of(frame->vector),
              frame->error, frame->eip, read_cr2());
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    char why[REPORT_MOST / 2];
    const int length =
        snprintf(why, sizeof why, "%s at eip 0x%x", name_of(frame->vector), frame->eip);
    if (frame->vector == PAGE_FAULT)
        snprintf(why + length, sizeof why - (unsigned)length, ", address 0x%x", read_cr2());
    space_fails(frame, why);
}

void faults_setup(void) {
    for (unsigned i = 0; i < EXCEPTIONS; i++) on_interrupt(exceptions[i].vector, fault);
    allow_user_interrupt(BREAKPOINT);  // int3 and into are instructions of ring 3
    allow_user_interrupt(OVERFLOW);
}
