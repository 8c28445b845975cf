// SPDX-License-Identifier: MIT

// The server of kernel_calls.c: procedures for LRPC, one that does nothing and one that reads its
// argument and writes its result; and a thread that returns each message as it is.

#include "kernel_message.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "space.h"
#include "symsim.h"

static unsigned words;

static void nothing(unsigned* arguments) {
    (void)arguments;
}

static void copy(unsigned* arguments) {
    volatile unsigned* data = arguments;
    for (unsigned i = 0; i < words; i++) data[i] = data[i];
}

int main(void) {
    static lrpc_procedure* const procedures[] = {nothing, copy};
    words = arg_unsigned("words", 0);
    space_serves();
    lrpc_export(procedures, sizeof procedures / sizeof procedures[0]);
    for (;;) {
        unsigned data[MESSAGE_WORDS];
        const int received = message_receive(data);
        if (received >= 0) message_reply(data, (unsigned)received);
    }
}
