// SPDX-License-Identifier: MIT

// Calls by messages of the kernel, from two spaces with more threads than the server has; and what
// the kernel refuses, or fails because the server's thread or space has ended.

#include "kernel_message.h"
#include "kernel_messages.h"
#include "kernel_threads.h"
#include "space.h"
#include "test.h"

#define CALLERS 8
#define CALLS 10

int main(void);
static int server;

static void call_often(void* argument) {
    const unsigned caller = (unsigned)argument;
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned data[MESSAGE_WORDS];
        const unsigned words = (caller + i) % (MESSAGE_WORDS + 1);
        for (unsigned word = 0; word < words; word++) data[word] = 100 * caller + i + word;
        CHECK(message_call(server, data, words) == (int)words);
        for (unsigned word = 0; word < words; word++)
            CHECK_EQUAL(data[word], 100 * caller + i + word + 1);
        if (i % 3 == 0) kernel_thread_yield();
    }
}

static int send(unsigned word) {
    unsigned data[MESSAGE_WORDS] = {word};
    return message_call(server, data, 1);
}

static volatile bool held;

// The server does not answer before this space has ended.
static void hold(void* unused) {
    (void)unused;
    held = true;
    send(HOLD);
    panic("a thread of a space that has ended runs");
}

static void check_refused(void) {
    unsigned data[MESSAGE_WORDS] = {0};
    unsigned* const no_memory[] = {NULL, (unsigned*)KERNEL_BEGIN, (unsigned*)-16u,
                                   (unsigned*)(BOARD_CLOCK_US & -4096u)};
    CHECK(message_call(server, data, MESSAGE_WORDS + 1) == MESSAGE_FAILED);
    CHECK(message_call(server, data, -1u) == MESSAGE_FAILED);
    CHECK(message_call(space_self(), data, 1) == MESSAGE_FAILED);
    CHECK(message_call(-1, data, 1) == MESSAGE_FAILED);
    CHECK(message_call(MAX_SPACES, data, 1) == MESSAGE_FAILED);
    CHECK(message_reply(data, 0) == MESSAGE_FAILED);  // to nobody
    for (unsigned i = 0; i < sizeof no_memory / sizeof no_memory[0]; i++) {
        CHECK(message_call(server, no_memory[i], 0) == MESSAGE_FAILED);
        CHECK(message_receive(no_memory[i]) == MESSAGE_FAILED);
    }
    // Pages that this space may only read: the kernel's about spaces, and its own code.
    unsigned* const read_only[] = {(unsigned*)space_info(0)->name, (unsigned*)main};
    for (unsigned i = 0; i < sizeof read_only / sizeof read_only[0]; i++) {
        const unsigned before = *read_only[i];
        CHECK(message_call(server, read_only[i], 1) == MESSAGE_FAILED);
        CHECK(message_receive(read_only[i]) == MESSAGE_FAILED);
        CHECK_EQUAL(*read_only[i], before);
    }
}

int main(void) {
    server = space_named("server");
    kernel_thread threads[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) threads[i] = kernel_thread_fork(call_often, (void*)i);
    for (unsigned i = 0; i < CALLERS; i++) CHECK(kernel_thread_join(threads[i]) == 0);
    if (space_self() == FIRST_CLIENT) {
        check_refused();
        CHECK(send(END_THREAD) == MESSAGE_FAILED);  // whose thread ends without an answer
        while (space_info(SECOND_CLIENT)->state != SPACE_ENDED) kernel_thread_yield();
        CHECK(send(1) == 1);
        CHECK(send(FAULT) == MESSAGE_FAILED);
        CHECK(send(1) == MESSAGE_FAILED);
        report("calls", 2 * CALLERS * CALLS);
    } else {
        kernel_thread_fork(hold, NULL);
        while (!held) kernel_thread_yield();
        for (unsigned i = 0; i < 5; i++) kernel_thread_yield();  // the server has the call
    }
    return 0;
}
