// SPDX-License-Identifier: MIT

// System calls of spaces. Nothing that a program passes is trusted.

#include "kernel.h"

#include "kernel/devices.h"
#include "kernel/system_call.h"

static int write_text(const struct user_space* space, uint32_t device, uintptr_t text,
                      uint32_t bytes) {
    if (device != CONSOLE_BYTE && device != RESULTS_BYTE) return -1;
    if (bytes > WRITE_MOST || !user_range(space, text, bytes)) return -1;
    device_write(device, (const char*)text, bytes);
    return 0;
}

// May give the processor away: then the frame is that of an upcall.
static void system_call(struct trap_frame* frame) {
    struct user_space* space = this_processor()->space;
    const uint32_t first = frame->ebx, second = frame->ecx, third = frame->edx;
    switch (frame->eax) {
        case CALL_DONATE:
            donate(frame, (int)first);
            break;
        case CALL_STOP:
            space_end(frame, (int)first);
            break;
        case CALL_WRITE:
            frame->eax = (uint32_t)write_text(space, first, second, third);
            break;
        case CALL_SHARE:
            frame->eax = share(space, (int)first, second, third);
            break;
        case CALL_SERVE:
            space->serves = true;
            frame->eax = 0;
            break;
        case CALL_NOTHING:
            frame->eax = 0;
            break;
        default:
            frame->eax = (uint32_t)-1;
    }
}

void calls_setup(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
}
