// SPDX-License-Identifier: MIT
#pragma once

// RPC by messages of the kernel, with threads on both sides, as SRC RPC works (URPC section 4.3).

#include "threads.h"

void message_call(struct trap_frame* frame, int server, uintptr_t buffer, uint32_t words);
void message_receive(struct trap_frame* frame, uintptr_t buffer);
int message_reply(uintptr_t buffer, uint32_t words);

// port.c, under the lock of the scheduler but for message_deliver()
struct port {
    struct list callers;    // whose calls nobody has received
    struct list receivers;  // that wait for a call
};
extern struct port ports[MAX_SPACES];
void port_put(struct list* port, struct kernel_thread* self);
struct kernel_thread* port_take(struct list* port);  // NULL if it is empty
void port_give(struct kernel_thread* receiver, struct kernel_thread* client);  // its message
// In the receiver's address space: copies the message that it has been given; also, by the second,
// one that has come while it was blocked.
void message_copy_out(struct trap_frame* frame, struct kernel_thread* thread);
void message_deliver(struct trap_frame* frame, struct kernel_thread* thread);
// The thread waits no longer; it will not answer its client.
void message_forget(struct kernel_thread* thread);
void message_unanswered(struct kernel_thread* thread);
