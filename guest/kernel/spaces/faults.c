// SPDX-License-Identifier: MIT

// Exceptions in ring 3: the space is ended with a report, and the others go on. An exception in
// ring 0 is a bug of the kernel, and stops the run.

#include "kernel.h"

#include "kernel/exceptions.h"
#include "kernel/devices.h"

#define REPORT_MOST 160

static void report_fault(const struct trap_frame* frame, const struct user_space* space) {
    char text[REPORT_MOST];
    int length = snprintf(text, sizeof text, "space %s ended: %s at eip 0x%x", space->image->name,
                          name_of(frame->vector), frame->eip);
    if (frame->vector == PAGE_FAULT)
        length += snprintf(text + length, sizeof text - (unsigned)length, ", address 0x%x",
                           read_cr2());
    text[length++] = '\n';
    device_write(CONSOLE_BYTE, text, (unsigned)length);
}

static void fault(struct trap_frame* frame) {
    if ((frame->cs & 3) != 3)
        panic("the kernel: %s, error code 0x%x, eip 0x%x, cr2 0x%x", name_of(frame->vector),
              frame->error, frame->eip, read_cr2());
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    report_fault(frame, this_processor()->space);
    space_end(frame, SPACE_FAULTED);
}

void faults_setup(void) {
    for (unsigned i = 0; i < EXCEPTIONS; i++) on_interrupt(exceptions[i].vector, fault);
    allow_user_interrupt(BREAKPOINT);  // int3 and into are instructions of ring 3
    allow_user_interrupt(OVERFLOW);
}
