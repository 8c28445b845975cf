// SPDX-License-Identifier: MIT

// The futex calls: operations and times as Linux passes them, in 32 and in 64 bits.

#include "calls.h"
#include "futex.h"
#include "thread.h"

enum operation {
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
    FUTEX_REQUEUE = 3,
    FUTEX_CMP_REQUEUE = 4,
    FUTEX_WAKE_OP = 5,
    FUTEX_WAIT_BITSET = 9,
    FUTEX_WAKE_BITSET = 10,
    FUTEX_PRIVATE = 0x80,
    FUTEX_REALTIME = 0x100,
};

// When a wait ends at the latest: `time` is an address, from now on or, `absolute`, of a clock.
static int deadline(uintptr_t time, bool wide, bool absolute, bool realtime, uint64_t* at) {
    uint64_t us;
    *at = NEVER;
    if (time == 0) return 0;
    const int error = read_time(time, wide, &us);
    if (error) return error;
    if (!absolute) us += now_us();
    if (realtime) us = us > REALTIME_BEGIN_US ? us - REALTIME_BEGIN_US : 0;
    *at = us;
    return 0;
}

static int futex(const struct trap_frame* frame, bool wide) {
    const uintptr_t word = frame->ebx, time = frame->esi, other = frame->edi;
    const uint32_t value = frame->edx, bits = frame->ebp;
    const bool shared = !(frame->ecx & FUTEX_PRIVATE), realtime = frame->ecx & FUTEX_REALTIME;
    const unsigned operation = frame->ecx & ~(unsigned)(FUTEX_PRIVATE | FUTEX_REALTIME);
    uint64_t at;
    int error;
    if (realtime && operation != FUTEX_WAIT_BITSET) return -ENOSYS;
    switch (operation) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
            error = deadline(time, wide, operation == FUTEX_WAIT_BITSET, realtime, &at);
            if (error) return error;
            return futex_wait(word, shared, value, at, operation == FUTEX_WAIT ? UINT32_MAX : bits);
        case FUTEX_WAKE:
            return futex_wake(word, shared, value, UINT32_MAX);
        case FUTEX_WAKE_BITSET:
            return futex_wake(word, shared, value, bits);
        case FUTEX_REQUEUE:
            return futex_requeue(word, shared, value, other, time, NULL);
        case FUTEX_CMP_REQUEUE:
            return futex_requeue(word, shared, value, other, time, &frame->ebp);
        case FUTEX_WAKE_OP:
            return futex_wake_op(word, shared, value, other, time, bits);
        default:
            return -ENOSYS;
    }
}

CALL(futex, futex(frame, false))

CALL(futex_time64, futex(frame, true))
