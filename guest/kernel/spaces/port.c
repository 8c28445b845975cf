// SPDX-License-Identifier: MIT

// Ports, in which threads wait for messages. The kernel's copy of a message is in the record of the
// client, the thread that has sent the call.

#include "message.h"

struct port ports[MAX_SPACES];

void message_copy_out(struct trap_frame* frame, struct kernel_thread* thread) {
    const struct kernel_thread* from = thread->message;
    uint32_t* to = (uint32_t*)thread->buffer;
    for (uint32_t i = 0; i < from->words; i++) to[i] = from->data[i];
    frame->eax = from->words;
    thread->message = NULL;
}

// The sender may have ended in the meantime: then there is no message.
void message_deliver(struct trap_frame* frame, struct kernel_thread* thread) {
    spinlock_acquire(&scheduler_lock);
    if (thread->message != NULL) message_copy_out(frame, thread);
    spinlock_release(&scheduler_lock);
}

void message_unanswered(struct kernel_thread* thread) {
    struct kernel_thread* client = thread->client;
    thread->client = NULL;
    client->server = NULL;
    client->frame.eax = (uint32_t)-1;
    make_ready(client);
}

static void list_remove(struct list* list, const struct link* link) {
    struct link* before = NULL;
    for (struct link* one = list->first; one != link; one = one->next) before = one;
    list_take_after(list, before, (struct link*)link);
}

void message_forget(struct kernel_thread* thread) {
    if (thread->port != NULL) list_remove(thread->port, &thread->link);
    thread->port = NULL;
    thread->server = NULL;
    for (unsigned i = 0; i < kernel_threads_made; i++) {
        struct kernel_thread* server = &kernel_threads[i];
        if (server->client == thread) server->client = NULL;
        if (server->message == thread && server != thread) server->message = NULL;
    }
}
