// SPDX-License-Identifier: MIT
#pragma once

// RPC by messages of the kernel, with threads on both sides, as SRC RPC works (URPC section 4.3).

#include "threads.h"

void message_call(struct trap_frame* frame, int server, uintptr_t buffer, uint32_t words);
void message_receive(struct trap_frame* frame, uintptr_t buffer);
int message_reply(uintptr_t buffer, uint32_t words);

// Ports of spaces, in which threads wait for messages; under the lock of the scheduler.
struct port {
    struct list callers;    // whose calls nobody has received
    struct list receivers;  // that wait for a call
};
extern struct port ports[MAX_SPACES];

static inline void port_put(struct list* port, struct kernel_thread* self) {
    self->port = port;
    list_put(port, &self->link);
}

// NULL if nobody waits in it.
static inline struct kernel_thread* port_take(struct list* port) {
    struct kernel_thread* thread = (struct kernel_thread*)list_take(port);
    if (thread != NULL) thread->port = NULL;
    return thread;
}

// The receiver gets the message of the client when it runs on.
static inline void port_give(struct kernel_thread* receiver, struct kernel_thread* client) {
    receiver->client = client;
    receiver->message = client;
    receiver->frame.eax = (uint32_t)-1;  // until it is delivered
}

// port.c, under the lock but for message_deliver()
// In the receiver's address space: copies the message that it has been given; also, by the second,
// one that has come while it was blocked.
void message_copy_out(struct trap_frame* frame, struct kernel_thread* thread);
void message_deliver(struct trap_frame* frame, struct kernel_thread* thread);
// The thread waits no longer; it will not answer its client.
void message_forget(struct kernel_thread* thread);
void message_unanswered(struct kernel_thread* thread);
