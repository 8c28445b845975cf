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
    CALL_STOP,   // status: the run ends; with the kernel of spaces, the space

    // Those above that are not of processes alone, and these, are answered by spaces/calls.c.
    CALL_NOTHING,  // 0
    CALL_DONATE,   // space: -1 if there is none; else the processor comes back by an upcall
    CALL_SHARE,    // space, channel, pages: an enum share, or the address
    CALL_SERVE,    // 0: the run does not wait for the end of this space
    CALLS,
};
