// SPDX-License-Identifier: MIT
#pragma once

// Calls between address spaces without the kernel: URPC (Bershad, Anderson, Lazowska & Levy, 1991).
// Client and server have a channel, which is memory that the two share, with a queue in either
// direction. A call is a message to the server, whose thread package runs a thread for it, and a
// message back. The kernel only moves processors, when a space with messages has none.
//
// A client must not trust the server, nor the server its clients: what comes through a channel is
// copied before it is looked at.

#include <stdbool.h>

#define URPC_WORDS 12     // of an argument or a result
#define URPC_FAILED (-1)  // the server has ended, or sent something else than an answer
#define URPC_PROCEDURES_MOST 32
#define URPC_CALL __attribute__((regparm(3)))  // arguments in registers, as THREAD_CALL has them

// ---- client ----
struct urpc_channel;
// The channel to the space, once both have asked for it; NULL if there is no such space, or if it
// ends before. The caller is a thread, and waits.
struct urpc_channel* urpc_bind(int server);
// Calls a procedure; returns how many words of result there are, at most `most`, or URPC_FAILED.
URPC_CALL int urpc_call(struct urpc_channel* channel, unsigned procedure, const unsigned* argument,
                        unsigned words, unsigned* result, unsigned most);
// The same for at most some time, up to 2^31 us: then NULL, or URPC_FAILED. A server may have a
// call that has failed, and do it later. The time is looked at when a processor of the space finds
// no ready thread.
struct urpc_channel* urpc_bind_for(int server, unsigned timeout_us);
int urpc_call_for(struct urpc_channel* channel, unsigned procedure, const unsigned* argument,
                  unsigned words, unsigned* result, unsigned most, unsigned timeout_us);

// ---- server ----
// Has `words` words of argument, all within URPC_WORDS; returns how many words of result it has
// written, up to URPC_WORDS, or URPC_FAILED.
typedef int urpc_procedure(const unsigned* argument, unsigned words, unsigned* result);
// Serves all other spaces, each call in a thread of its own.
_Noreturn void urpc_serve(urpc_procedure* const* procedures, unsigned number);
