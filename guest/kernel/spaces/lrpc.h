// SPDX-License-Identifier: MIT
#pragma once

// LRPC, a call that the kernel makes on the caller's own thread (Bershad, Anderson, Lazowska &
// Levy, "Lightweight Remote Procedure Call", 1990, as URPC describes it).

#include "threads.h"

#define LRPC_STACKS 4  // of a binding, and so calls that it can have at a time

extern bool lrpc_caching;  // argument lrpc_caching, default 1
void lrpc_setup(void);
int lrpc_export(struct user_space* space, uint32_t entry, uint32_t procedures);
int lrpc_bind(struct user_space* client, int server);
uint32_t lrpc_arguments(const struct user_space* client, uint32_t binding);
void lrpc_call(struct trap_frame* frame, uint32_t binding, uint32_t procedure, uint32_t stack);
void lrpc_return(struct trap_frame* frame, int result);
// From the innermost call that the thread is in; its caller gets `result`.
void lrpc_leave(struct trap_frame* frame, struct kernel_thread* self, int result);
