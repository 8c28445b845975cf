// SPDX-License-Identifier: MIT

#include "kernel_message.h"
#include "kernel_messages.h"
#include "kernel_threads.h"
#include "space.h"
#include "test.h"

#define THREADS 3

static void answer_when_ended(unsigned* data) {
    unsigned other[MESSAGE_WORDS];
    CHECK(message_receive(other) == MESSAGE_FAILED);  // it has a call to answer
    while (space_info(SECOND_CLIENT)->state != SPACE_ENDED) kernel_thread_yield();
    for (unsigned i = 0; i < 5; i++) kernel_thread_yield();
    CHECK(message_reply(data, 1) == MESSAGE_FAILED);
}

static void serve(void* unused) {
    (void)unused;
    for (;;) {
        unsigned data[MESSAGE_WORDS] = {0};
        const int words = message_receive(data);
        CHECK(words >= 0 && words <= MESSAGE_WORDS);
        if (data[0] == END_THREAD) return;
        if (data[0] == FAULT) *(volatile unsigned* volatile)NULL = 1;
        if (data[0] == HOLD) {
            answer_when_ended(data);
            continue;
        }
        for (int i = 0; i < words; i++) data[i]++;
        if (words > 3) kernel_thread_yield();
        CHECK(message_reply(data, MESSAGE_WORDS + 1) == MESSAGE_FAILED);
        CHECK(message_reply((unsigned*)KERNEL_BEGIN, 1) == MESSAGE_FAILED);
        CHECK(message_reply(data, (unsigned)words) == 0);
        CHECK(message_reply(data, (unsigned)words) == MESSAGE_FAILED);  // a second time
    }
}

int main(void) {
    space_serves();
    for (unsigned i = 1; i < THREADS; i++) CHECK(kernel_thread_fork(serve, NULL) >= 0);
    serve(NULL);
    kernel_thread_exit();
}
