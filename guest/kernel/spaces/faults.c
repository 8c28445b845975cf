// SPDX-License-Identifier: MIT

// Exceptions of a program: its space is ended with a report, and the others continue.

#include "spaces.h"

#define REPORT_MOST 160

void space_fails(struct trap_frame* frame, const char* why) {
    char text[REPORT_MOST];
    const int length = snprintf(text, sizeof text, "space %s ended: %s\n",
                                this_processor()->space->image->name, why);
    device_write(CONSOLE_BYTE, text, (unsigned)length);
    space_end(frame, SPACE_FAULTED);
}

static void fault(struct trap_frame* frame) {
    PROBE(PROBE_PROCESS_FAULT, frame->eip);
    char why[REPORT_MOST / 2];
    const int length =
        snprintf(why, sizeof why, "%s at eip 0x%x", exception_name(frame->vector), frame->eip);
    if (frame->vector == PAGE_FAULT)
        snprintf(why + length, sizeof why - (unsigned)length, ", address 0x%x", read_cr2());
    space_fails(frame, why);
}

void setup_faults(void) {
    on_user_exceptions(fault);
}
