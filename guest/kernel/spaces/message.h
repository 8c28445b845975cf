// SPDX-License-Identifier: MIT
#pragma once

// RPC by messages of the kernel, with threads on both sides, as SRC RPC works (URPC section 4.3).

#include "threads.h"

void message_call(struct trap_frame* frame, int server, uintptr_t buffer, uint32_t words);
void message_receive(struct trap_frame* frame, uintptr_t buffer);
int message_reply(uintptr_t buffer, uint32_t words);
// In the receiver's address space: copies the message that has come while it was blocked.
void message_deliver(struct trap_frame* frame, struct kernel_thread* thread);
// Under the lock of the scheduler: the thread waits no longer; it will not answer its client.
void message_forget(struct kernel_thread* thread);
void message_unanswered(struct kernel_thread* thread);
