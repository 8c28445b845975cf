// SPDX-License-Identifier: MIT

// Messages through the kernel. A call's words are copied into the kernel from the client, and out
// of it to the server; its answer's likewise. The kernel's copy is in the client's record. A thread
// of the server that waits for a call takes the client's place on the processor.

#include "message.h"

struct port {
    struct thread_list callers;    // whose calls nobody has received
    struct thread_list receivers;  // that wait for a call
};
static struct port ports[MAX_SPACES];

static bool copy_in(struct kernel_thread* to, const struct user_space* space, uintptr_t buffer,
                    uint32_t words) {
    if (words > MESSAGE_WORDS || !user_range(space, buffer, words * sizeof(uint32_t), 0))
        return false;
    for (uint32_t i = 0; i < words; i++) to->data[i] = ((const uint32_t*)buffer)[i];
    to->words = words;
    return true;
}

static bool is_buffer(const struct user_space* space, uintptr_t buffer) {
    return user_range(space, buffer, MESSAGE_WORDS * sizeof(uint32_t), PAGE_WRITABLE);
}

static void copy_out(struct trap_frame* frame, struct kernel_thread* thread) {
    const struct kernel_thread* from = thread->message;
    uint32_t* to = (uint32_t*)thread->buffer;
    for (uint32_t i = 0; i < from->words; i++) to[i] = from->data[i];
    frame->eax = from->words;
    thread->message = NULL;
}

// The sender may have ended in the meantime: then there is no message.
void message_deliver(struct trap_frame* frame, struct kernel_thread* thread) {
    spinlock_acquire(&scheduler);
    if (thread->message != NULL) copy_out(frame, thread);
    spinlock_release(&scheduler);
}

static void give_message(struct kernel_thread* receiver, struct kernel_thread* client) {
    receiver->client = client;
    receiver->message = client;
    receiver->frame.eax = (uint32_t)-1;  // until it is delivered
}

static void wait_in(struct thread_list* port, struct kernel_thread* self) {
    self->port = port;
    list_put(port, self);
}

static struct kernel_thread* take_from(struct thread_list* port) {
    struct kernel_thread* thread = list_take(port);
    if (thread != NULL) thread->port = NULL;
    return thread;
}

void message_call(struct trap_frame* frame, int number, uintptr_t buffer, uint32_t words) {
    struct kernel_thread* self = this_processor()->thread;
    struct user_space* server = space_at(number);
    frame->eax = (uint32_t)-1;
    if (server == NULL || server == self->space) return;
    if (!is_buffer(self->space, buffer) || !copy_in(self, self->space, buffer, words)) return;
    spinlock_acquire(&scheduler);
    if (server->ended || self->space->ended) {  // else who ends one of them sees this call
        spinlock_release(&scheduler);
        return;
    }
    self->buffer = buffer;
    self->server = server;
    struct kernel_thread* receiver = take_from(&ports[number].receivers);
    if (receiver == NULL) {
        wait_in(&ports[number].callers, self);
        block_thread(frame);
    } else {
        stop_thread(self, frame);
        give_message(receiver, self);
        run_thread(frame, receiver);
    }
}

void message_receive(struct trap_frame* frame, uintptr_t buffer) {
    struct kernel_thread* self = this_processor()->thread;
    struct port* port = &ports[self->space->number];
    if (self->client != NULL || self->linkage != NULL || !is_buffer(self->space, buffer)) {
        frame->eax = (uint32_t)-1;
        return;
    }
    self->buffer = buffer;
    spinlock_acquire(&scheduler);
    struct kernel_thread* client = take_from(&port->callers);
    if (client == NULL) {
        wait_in(&port->receivers, self);
        block_thread(frame);
        return;
    }
    give_message(self, client);
    copy_out(frame, self);
    spinlock_release(&scheduler);
}

int message_reply(uintptr_t buffer, uint32_t words) {
    struct kernel_thread* self = this_processor()->thread;
    spinlock_acquire(&scheduler);
    struct kernel_thread* client = self->linkage == NULL ? self->client : NULL;  // not in an LRPC
    const bool sent = client != NULL && copy_in(client, self->space, buffer, words);
    if (sent) {
        self->client = NULL;
        client->server = NULL;
        client->message = client;
        make_ready(client);
    }
    spinlock_release(&scheduler);
    return sent ? 0 : -1;
}

void message_unanswered(struct kernel_thread* thread) {
    struct kernel_thread* client = thread->client;
    thread->client = NULL;
    client->server = NULL;
    client->frame.eax = (uint32_t)-1;
    make_ready(client);
}

void message_forget(struct kernel_thread* thread) {
    if (thread->port != NULL) list_remove(thread->port, thread);
    thread->port = NULL;
    thread->server = NULL;
    for (unsigned i = 0; i < kernel_threads_made; i++) {
        struct kernel_thread* server = &kernel_threads[i];
        if (server->client == thread) server->client = NULL;
        if (server->message == thread && server != thread) server->message = NULL;
    }
}
