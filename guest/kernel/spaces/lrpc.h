// SPDX-License-Identifier: MIT
#pragma once

// LRPC, a call that the kernel makes on the caller's own thread (Bershad, Anderson, Lazowska &
// Levy, "Lightweight Remote Procedure Call", 1990, as URPC describes it).

#include "descriptors.h"
#include "threads.h"

#define LRPC_STACKS 4  // of a binding, and so calls that it can have at a time

struct linkage {
    LINE_ALIGNED volatile unsigned char busy;
    struct user_space* caller;
    struct linkage* outer;  // the call in which the caller is
    uint32_t eip, esp;      // of the caller
    uintptr_t execution;    // the stack's end, in the server
};

// Selectors that one space has loaded would fault in the other one.
static inline void set_place(struct trap_frame* frame, uint32_t eip, uint32_t esp) {
    frame->es = frame->ds = frame->ss = USER_DATA;
    frame->flags = FLAG_INTERRUPT;
    frame->eip = eip;
    frame->esp = esp;
}

// Leaves the innermost call that the thread is in; its caller gets `result`.
static inline void lrpc_leave(struct trap_frame* frame, struct kernel_thread* self, int result) {
    struct linkage* linkage = self->linkage;
    frame->eax = (uint32_t)result;
    set_place(frame, linkage->eip, linkage->esp);
    self->linkage = linkage->outer;
    self->space = linkage->caller;
    compiler_barrier();
    linkage->busy = 0;
}

int lrpc_export(struct user_space* space, uint32_t entry, uint32_t procedures);
int lrpc_bind(struct user_space* client, int server);
uint32_t lrpc_arguments(const struct user_space* client, uint32_t binding);
void lrpc_call(struct trap_frame* frame, uint32_t binding, uint32_t procedure, uint32_t stack);
void lrpc_return(struct trap_frame* frame, int result);
