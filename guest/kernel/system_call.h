// SPDX-License-Identifier: MIT
#pragma once

// The gate between rings 3 and 0: int $SYSTEM_CALL_VECTOR with the call's number in eax and its
// arguments in ebx, ecx and edx; the result is in eax. user/process.c calls, system_call.c answers.

#define SYSTEM_CALL_VECTOR 0x80

enum system_call {
    CALL_SPAWN,  // function, argument, processor: number
    CALL_EXIT,   // status
    CALL_WAIT,   // number: status
    CALL_YIELD,
    CALL_SLEEP,  // word, value: 1 if it has slept
    CALL_WAKE,   // word, count: how many
    CALL_WRITE,  // device, text, bytes: 0, or -1 if the text or the device is not the process's
    CALL_STOP,   // status: the run ends
    CALLS,
};
