// SPDX-License-Identifier: MIT

// The table of system calls, and what becomes of a number that has no call.

#include "calls.h"

#include "symsim.h"
#include "thread.h"

// What C libraries try, and do without: rseq, clone3, get_mempolicy.
CALL(refused, (void)frame, -ENOSYS)

static system_call* const calls[] = {
#define N(number, name) [number] = call_##name,
#include "calls.def"
#undef N
};
#define CALLS (sizeof calls / sizeof calls[0])

// glibc's int $0x80 is followed by a ret, and the caller is where that leads.
static uint32_t caller_of(const struct trap_frame* frame) {
    const uint32_t ret = 0xc3;
    uint32_t code = 0, caller;
    const bool returns = copy_in(&code, frame->eip, 1) == 0 && code == ret;
    return returns && copy_in(&caller, frame->esp, 4) == 0 ? caller : frame->eip;
}

// The simulator names and counts it (sim/devices/missing_calls.h).
static void name_missing(unsigned number, const struct trap_frame* frame) {
    const unsigned last = PAGE_BYTES / 4 - 1;
    ((volatile uint32_t*)MISSING_CALLS)[number < last ? number : last] = caller_of(frame);
}

static void system_call_interrupt(struct trap_frame* frame) {
    const unsigned number = frame->eax;
    system_call* call = number < CALLS ? calls[number] : NULL;
    if (call == NULL) name_missing(number, frame);
    frame->unused = number;  // to make the call again after a signal
    frame->eax = call != NULL ? (uint32_t)call(frame) : (uint32_t)-ENOSYS;
    if (KERNEL_CHECKS && *(const uint32_t*)this_thread()->task.kernel_stack != 0)
        panic("system call %u: the kernel's stack is full", number);
    leave_to_user(frame);
}

void setup_calls(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call_interrupt);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
}
