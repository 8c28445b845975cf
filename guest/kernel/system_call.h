// SPDX-License-Identifier: MIT
#pragma once

// The gate between rings 3 and 0: int $SYSTEM_CALL_VECTOR with the call's number in eax and its
// arguments in ebx, ecx and edx; the result is in eax. user/process.c calls, system_call.c answers.

#define SYSTEM_CALL_VECTOR 0x80
#define WRITE_MOST 256  // bytes of one CALL_WRITE, during which the process is not preempted

enum system_call {
    CALL_SPAWN,  // function, argument, processor: number
    CALL_EXIT,   // status
    CALL_WAIT,   // number: status
    CALL_YIELD,
    CALL_SLEEP,  // word, value: 1 if it has slept
    CALL_WAKE,   // word, count: how many
    CALL_WRITE,  // device, text, bytes: 0; -1 if they are not the process's, or too many
    CALL_STOP,   // status: the run ends
    CALLS,
};
