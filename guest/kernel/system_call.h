// SPDX-License-Identifier: MIT
#pragma once

// The gate between rings 3 and 0: int $SYSTEM_CALL_VECTOR with the call's number in eax and its
// arguments in ebx, ecx and edx; the result is in eax. user/process.c calls, system_call.c answers.

#define SYSTEM_CALL_VECTOR 0x80
#define NOTHING_VECTOR 0x81  // with the kernel of spaces: a trap that does nothing
#define WRITE_MOST 256       // bytes of one CALL_WRITE, during which the process is not preempted

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

    // spaces/threads.c: -1 if there is no such thread, or no room
    CALL_THREADS_SERVE,  // entry, function, argument: the processor runs kernel threads from now on
    CALL_THREAD_FORK,    // entry, function, argument: the thread
    CALL_THREAD_EXIT,
    CALL_THREAD_JOIN,    // thread: 0
    CALL_THREAD_YIELD,   // 0
    CALL_THREAD_BLOCK,   // 0, after a signal
    CALL_THREAD_SIGNAL,  // thread: 0
    CALL_THREAD_SELF,    // the thread

    // spaces/lrpc.c: -1 if the call has failed
    CALL_LRPC_EXPORT,     // entry, number of procedures: 0
    CALL_LRPC_BIND,       // space: the binding
    CALL_LRPC_ARGUMENTS,  // binding: address of its argument stacks, or 0
    CALL_LRPC_CALL,       // binding, procedure, argument stack: 0
    CALL_LRPC_RETURN,     // does not return

    // spaces/message.c: -1 if the call has failed
    CALL_MESSAGE_CALL,     // space, buffer, words: words of the answer
    CALL_MESSAGE_RECEIVE,  // buffer: words of a call; -1 if its client has ended
    CALL_MESSAGE_REPLY,    // buffer, words: 0
    CALLS,
};
