// SPDX-License-Identifier: MIT
#pragma once

// LRPC (Bershad et al., 1990): a call into another address space that the kernel makes on the
// caller's own thread. For programs with kernel threads (kernel_threads.h).

#define LRPC_FAILED (-1)
#define LRPC_WORDS 256  // of an argument stack

// ---- client ----
// The binding to the space, or -1 if it exports nothing. A second call returns the same one.
int lrpc_bind(int server);
// An argument stack of the binding, 0 to 3, in memory that client and server share.
unsigned* lrpc_arguments(int binding, unsigned stack);
// 0, or LRPC_FAILED: a wrong binding, procedure or stack, one in use, or a server that has ended.
int lrpc_call(int binding, unsigned procedure, unsigned stack);

// ---- server ----
// Arguments and results are on the argument stack. The client can change them at any time.
typedef void lrpc_procedure(unsigned* arguments);
void lrpc_export(lrpc_procedure* const* procedures, unsigned number);
