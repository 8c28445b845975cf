// SPDX-License-Identifier: MIT

#include "kernel_message.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "space.h"
#include "test.h"

static void add(unsigned* arguments) {
    arguments[0] += arguments[1];
}

static void serve(void* unused) {
    (void)unused;
    for (;;) {
        unsigned data[MESSAGE_WORDS];
        const int words = message_receive(data);
        CHECK(words >= 0 && words <= MESSAGE_WORDS);
        for (int i = 0; i < words; i++) data[i]++;
        CHECK(message_reply(data, (unsigned)words) == 0);
    }
}

int main(void) {
    static lrpc_procedure* const procedures[] = {add};
    space_serves();
    lrpc_export(procedures, 1);
    CHECK(kernel_thread_fork(serve, NULL) >= 0);
    serve(NULL);
    return 0;
}
