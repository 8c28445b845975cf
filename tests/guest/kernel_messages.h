// SPDX-License-Identifier: MIT
#pragma once

// What kernel_messages_client.c and kernel_messages_server.c share. A message whose first word is
// none of these is answered with each word plus 1.

#define FIRST_CLIENT 1
#define SECOND_CLIENT 2
#define KERNEL_BEGIN 0x100000

enum request {
    END_THREAD = 0xF0000000,  // the server's thread ends
    HOLD,                     // it answers when the client has ended
    FAULT,                    // it writes to address 0
};
