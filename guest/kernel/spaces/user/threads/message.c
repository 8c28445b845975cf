// SPDX-License-Identifier: MIT

// kernel_message.h: system calls.

#include "kernel_message.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"

int message_call(int server, unsigned* buffer, unsigned words) {
    return (int)system_call(CALL_MESSAGE_CALL, (uint32_t)server, (uintptr_t)buffer, words);
}

int message_receive(unsigned* buffer) {
    return (int)system_call(CALL_MESSAGE_RECEIVE, (uintptr_t)buffer, 0, 0);
}

int message_reply(const unsigned* buffer, unsigned words) {
    return (int)system_call(CALL_MESSAGE_REPLY, (uintptr_t)buffer, words, 0);
}
