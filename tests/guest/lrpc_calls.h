// SPDX-License-Identifier: MIT
#pragma once

// The procedures of lrpc_server.c, which lrpc_client.c calls.

enum procedure {
    ADD,         // words 0 and 1
    COUNT,       // of all calls of it, under a mutex; lets other threads run
    AWAIT,       // blocks until a thread of the server signals it
    CALL_BACK,   // calls DOUBLE of the caller, which is the space in word 0
    BAD_RETURN,  // returns with selectors, flags and stack that no program could use
    LEAVE,       // by kernel_thread_exit()
    PROCEDURES,
};
enum client_procedure { DOUBLE };  // word 1
