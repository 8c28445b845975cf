// SPDX-License-Identifier: MIT

// Threads, LRPCs and messages do what they should while two spaces make system calls at random
// (kernel_hostile_attacker.c). Other threads call these spaces, until they end.

#include "kernel_message.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "space.h"
#include "test.h"

#define CALLERS 4
#define CALLS 25

static int server, binding;
static struct kernel_mutex mutex = KERNEL_MUTEX_INIT;
static unsigned counter;

static void call(void* number) {
    const unsigned stack = (unsigned)number;
    unsigned* arguments = lrpc_arguments(binding, stack);
    for (unsigned i = 0; i < CALLS; i++) {
        arguments[0] = i;
        arguments[1] = stack;
        CHECK(lrpc_call(binding, 0, stack) == 0);
        CHECK_EQUAL(arguments[0], i + stack);
        unsigned data[MESSAGE_WORDS] = {i, stack};
        CHECK(message_call(server, data, 2) == 2);
        CHECK(data[0] == i + 1 && data[1] == stack + 1);
        kernel_mutex_lock(&mutex);
        const unsigned seen = counter;
        kernel_thread_yield();
        counter = seen + 1;
        kernel_mutex_unlock(&mutex);
    }
}

static kernel_thread main_thread;
static volatile unsigned turns;

static void answer(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < CALLS; i++) {
        kernel_thread_block();
        CHECK_EQUAL(turns, 2 * i + 1);
        turns++;
        CHECK(kernel_thread_signal(main_thread) == 0);
    }
}

static bool has_ended(const void* space) {
    return space_info((int)space)->state == SPACE_ENDED;
}

// What comes back, and when, is the attacker's choice; it is over when the attacker has ended.
static void visit(void* attacker) {
    for (unsigned i = 0; !has_ended(attacker); i++) {
        lrpc_call(lrpc_bind((int)attacker), i % 8 == 7, 0);
        kernel_thread_yield();
    }
}

static void send(void* attacker) {
    unsigned data[MESSAGE_WORDS] = {0};
    while (!has_ended(attacker)) message_call((int)attacker, data, MESSAGE_WORDS);
}

int main(void) {
    server = space_named("server");
    main_thread = kernel_thread_self();
    while ((binding = lrpc_bind(server)) < 0) kernel_thread_yield();
    const int attackers[] = {space_named("attacker"), space_named("other")};
    kernel_thread visitors[4], callers[CALLERS];
    for (unsigned i = 0; i < 4; i++)
        visitors[i] = kernel_thread_fork(i < 2 ? visit : send, (void*)attackers[i % 2]);
    for (unsigned i = 0; i < CALLERS; i++) callers[i] = kernel_thread_fork(call, (void*)i);
    const kernel_thread other = kernel_thread_fork(answer, NULL);
    for (unsigned i = 0; i < CALLS; i++) {
        CHECK_EQUAL(turns, 2 * i);
        turns++;
        CHECK(kernel_thread_signal(other) == 0);
        kernel_thread_block();
    }
    CHECK(kernel_thread_join(other) == 0);
    for (unsigned i = 0; i < CALLERS; i++) CHECK(kernel_thread_join(callers[i]) == 0);
    CHECK_EQUAL(counter, CALLERS * CALLS);
    for (unsigned i = 0; i < 4; i++) CHECK(kernel_thread_join(visitors[i]) == 0);
    report("calls", counter);
    return 0;
}
