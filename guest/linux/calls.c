// SPDX-License-Identifier: MIT

// The table of system calls, and what becomes of a number that has no call.

#include "calls.h"

#include "symsim.h"
#include "thread.h"

// What C libraries try, and do without: rseq, clone3.
CALL(refused, (void)frame, -ENOSYS)

static system_call* const calls[] = {
#define N(number, name) [number] = call_##name,
#include "calls.def"
#undef N
};
#define CALLS (sizeof calls / sizeof calls[0])

// Each number that is missing is named once; those beyond the table share a bit.
static void name_missing(unsigned number, uint32_t eip) {
    static volatile unsigned char named[CALLS + 1];
    if (exchange_byte(&named[number < CALLS ? number : CALLS], 1) != 0) return;
    printf("linux: system call %u is missing (ENOSYS), at eip 0x%x\n", number, eip);
}

static void system_call_interrupt(struct trap_frame* frame) {
    const unsigned number = frame->eax;
    PROBE(PROBE_SYSTEM_CALL, number);
    system_call* call = number < CALLS ? calls[number] : NULL;
    if (call == NULL) name_missing(number, frame->eip);
    frame->unused = number;  // to make the call again after a signal
    frame->eax = call != NULL ? (uint32_t)call(frame) : (uint32_t)-ENOSYS;
    leave_to_user(frame);
}

void setup_calls(void) {
    on_interrupt(SYSTEM_CALL_VECTOR, system_call_interrupt);
    allow_user_interrupt(SYSTEM_CALL_VECTOR);
}
