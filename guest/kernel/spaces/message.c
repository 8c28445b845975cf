// SPDX-License-Identifier: MIT

// Messages through the kernel: the system calls. A call's words are copied into the kernel from the
// client, and out of it to the server; its answer's likewise. A thread of the server that waits for
// a call takes the client's place on the processor.

#include "message.h"

static bool copy_in(struct kernel_thread* to, const struct user_space* space, uintptr_t buffer,
                    uint32_t words) {
    if (words > MESSAGE_WORDS || !user_range(space->pages, buffer, words * sizeof(uint32_t), 0))
        return false;
    for (uint32_t i = 0; i < words; i++) to->data[i] = ((const uint32_t*)buffer)[i];
    to->words = words;
    return true;
}

static bool is_buffer(const struct user_space* space, uintptr_t buffer) {
    return user_range(space->pages, buffer, MESSAGE_WORDS * sizeof(uint32_t), PAGE_WRITABLE);
}

void message_call(struct trap_frame* frame, int number, uintptr_t buffer, uint32_t words) {
    struct kernel_thread* self = this_processor()->thread;
    struct user_space* server = space_at(number);
    frame->eax = (uint32_t)-1;
    if (server == NULL || server == self->space) return;
    if (!is_buffer(self->space, buffer) || !copy_in(self, self->space, buffer, words)) return;
    spinlock_acquire(&scheduler_lock);
    if (server->ended || self->space->ended) {  // else who ends one of them sees this call
        spinlock_release(&scheduler_lock);
        return;
    }
    self->buffer = buffer;
    self->server = server;
    struct kernel_thread* receiver = port_take(&ports[number].receivers);
    if (receiver == NULL) {
        port_put(&ports[number].callers, self);
        block_thread(frame);
    } else {
        stop_thread(self, frame);
        port_give(receiver, self);
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
    spinlock_acquire(&scheduler_lock);
    struct kernel_thread* client = port_take(&port->callers);
    if (client == NULL) {
        port_put(&port->receivers, self);
        block_thread(frame);
        return;
    }
    port_give(self, client);
    message_copy_out(frame, self);
    spinlock_release(&scheduler_lock);
}

int message_reply(uintptr_t buffer, uint32_t words) {
    struct kernel_thread* self = this_processor()->thread;
    spinlock_acquire(&scheduler_lock);
    struct kernel_thread* client = self->linkage == NULL ? self->client : NULL;  // not in an LRPC
    const bool sent = client != NULL && copy_in(client, self->space, buffer, words);
    if (sent) {
        self->client = NULL;
        client->server = NULL;
        client->message = client;
        make_ready(client);
    }
    spinlock_release(&scheduler_lock);
    return sent ? 0 : -1;
}
