// SPDX-License-Identifier: MIT

// LRPC: binding objects, argument stacks that client and server share, and a linkage record for
// each call. The record is the kernel's, so a server can return to nowhere but to the caller.

#include "lrpc.h"

#define BINDINGS_MOST (MAX_SPACES * (MAX_SPACES - 1))
#define EXECUTION_PAGES 2  // of the stack on which the server's procedure runs
#define ARGUMENT_BYTES (PAGE_BYTES / LRPC_STACKS)

// A client's name for it is its number, which the kernel compares with the client.
static struct binding {
    struct user_space *client, *server;
    uintptr_t arguments;  // LRPC_STACKS, of ARGUMENT_BYTES each
    struct linkage linkages[LRPC_STACKS];
} bindings[BINDINGS_MOST];
static volatile unsigned bindings_number;
static struct spinlock bindings_lock;

int lrpc_export(struct user_space* space, uint32_t entry, uint32_t procedures) {
    space->lrpc_entry = entry;
    compiler_barrier();  // a call looks for a procedure first
    space->lrpc_procedures = procedures;
    return 0;
}

// ---- binding ----

static int binding_of(const struct user_space* client, const struct user_space* server) {
    for (unsigned i = 0; i < bindings_number; i++)
        if (bindings[i].client == client && bindings[i].server == server) return (int)i;
    return -1;
}

static bool give_memory(struct binding* binding) {
    struct user_space* const both[] = {binding->client, binding->server};
    binding->arguments = map_new(both, 2, 1);
    const uintptr_t stacks = map_new(&binding->server, 1, LRPC_STACKS * EXECUTION_PAGES);
    for (unsigned i = 0; i < LRPC_STACKS; i++) {
        binding->linkages[i].caller = binding->client;
        binding->linkages[i].execution = stacks + (i + 1) * EXECUTION_PAGES * PAGE_BYTES - 16;
    }
    return binding->arguments != 0 && stacks != 0;
}

// A second request of a client for a server gets the same binding.
int lrpc_bind(struct user_space* client, int number) {
    struct user_space* server = space_at(number);
    if (server == NULL || server == client || server->ended || server->lrpc_procedures == 0)
        return -1;
    spinlock_acquire(&bindings_lock);
    int found = binding_of(client, server);
    if (found < 0) {
        struct binding* new = &bindings[bindings_number];
        new->client = client;
        new->server = server;
        if (give_memory(new)) found = (int)bindings_number++;
    }
    spinlock_release(&bindings_lock);
    return found;
}

static struct binding* binding_for(const struct user_space* client, uint32_t number) {
    if (number >= bindings_number || bindings[number].client != client) return NULL;
    return &bindings[number];
}

uint32_t lrpc_arguments(const struct user_space* client, uint32_t number) {
    const struct binding* binding = binding_for(client, number);
    return binding != NULL ? binding->arguments : 0;
}

// ---- the call: the thread goes into the server, and comes back ----

void lrpc_call(struct trap_frame* frame, uint32_t number, uint32_t procedure, uint32_t stack) {
    struct kernel_thread* self = this_processor()->thread;
    struct binding* binding = binding_for(self->space, number);
    frame->eax = (uint32_t)-1;
    if (binding == NULL || stack >= LRPC_STACKS) return;
    struct user_space* server = binding->server;
    if (server->ended || procedure >= server->lrpc_procedures) return;
    struct linkage* linkage = &binding->linkages[stack];
    if (exchange_byte(&linkage->busy, 1) != 0) return;
    linkage->outer = self->linkage;
    linkage->eip = frame->eip;
    linkage->esp = frame->esp;
    self->linkage = linkage;
    self->space = server;
    frame->eax = procedure;
    frame->edx = binding->arguments + stack * ARGUMENT_BYTES;
    set_place(frame, server->lrpc_entry, linkage->execution);
    thread_moved(frame);
}

void lrpc_return(struct trap_frame* frame, int result) {
    struct kernel_thread* self = this_processor()->thread;
    if (self->linkage == NULL) {
        frame->eax = (uint32_t)-1;
        return;
    }
    lrpc_leave(frame, self, result);
    thread_moved(frame);
}
