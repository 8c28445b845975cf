// SPDX-License-Identifier: MIT
#pragma once

// The procedures of lrpc_faults_server.c, which lrpc_faults_client.c calls.

enum procedure {
    NOTHING,
    BLOCK,    // waits for a signal that does not come
    JOIN,     // waits for a thread that does not end
    LOCK,     // waits for a mutex that is never unlocked
    THROUGH,  // calls BLOCK of the next server
    YIELD,    // yields as long as the server is there
    FAULT,    // writes to address 0
    EXIT,     // ends the space
    PROCEDURES,
};
