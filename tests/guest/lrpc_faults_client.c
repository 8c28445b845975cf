// SPDX-License-Identifier: MIT

// Servers that end while this space's threads are in their calls, whatever the threads do there:
// each call fails, and the threads are as they were.

#include "kernel_threads.h"
#include "lrpc.h"
#include "lrpc_faults_calls.h"
#include "space.h"
#include "test.h"

#define FIRST 1  // the servers' spaces
#define SECOND 2
#define CALLERS 3
#define SIGNALS 3

static unsigned failed;

static int bind_to(int server) {
    int binding;
    while ((binding = lrpc_bind(server)) < 0) kernel_thread_yield();
    return binding;
}

struct caller {
    int server;
    enum procedure procedure;
    unsigned stack;
    kernel_thread thread;
};

// Set by the procedure, on the argument stack.
static volatile unsigned* called(const struct caller* caller) {
    return lrpc_arguments(bind_to(caller->server), caller->stack);
}

// Gets signals before, during and after the end of the server.
static void call(void* argument) {
    const struct caller* caller = argument;
    CHECK(lrpc_call(bind_to(caller->server), caller->procedure, caller->stack) == LRPC_FAILED);
    for (unsigned i = 0; i < SIGNALS; i++) kernel_thread_block();
}

static void begin(struct caller* caller) {
    caller->thread = kernel_thread_fork(call, caller);
    while (*called(caller) == 0) kernel_thread_yield();
    for (unsigned i = 0; i < 5; i++) kernel_thread_yield();  // it waits in the call
    CHECK(kernel_thread_signal(caller->thread) == 0);
}

static void end(struct caller* caller) {
    for (unsigned i = 1; i < SIGNALS; i++) CHECK(kernel_thread_signal(caller->thread) == 0);
    CHECK(kernel_thread_join(caller->thread) == 0);
    failed++;
}

static void end_server(int server, enum procedure how) {
    const int binding = bind_to(server);
    CHECK(lrpc_call(binding, how, 0) == LRPC_FAILED);
    CHECK_EQUAL(space_info(server)->state, SPACE_ENDED);
    CHECK(lrpc_call(binding, NOTHING, 0) == LRPC_FAILED);
    CHECK(lrpc_bind(server) < 0);
    failed += 2;
}

int main(void) {
    struct caller of_first[CALLERS] = {
        {FIRST, LOCK, 1, 0}, {FIRST, JOIN, 2, 0}, {FIRST, THROUGH, 3, 0}};
    struct caller of_second[CALLERS] = {
        {SECOND, BLOCK, 1, 0}, {SECOND, JOIN, 2, 0}, {SECOND, YIELD, 3, 0}};
    for (unsigned i = 0; i < CALLERS; i++) begin(&of_first[i]);
    end_server(FIRST, FAULT);
    for (unsigned i = 0; i < CALLERS - 1; i++) end(&of_first[i]);
    for (unsigned i = 0; i < CALLERS; i++) begin(&of_second[i]);
    end_server(SECOND, EXIT);
    for (unsigned i = 0; i < CALLERS; i++) end(&of_second[i]);
    end(&of_first[CALLERS - 1]);  // its call was in one of the first server to the second one
    report("calls_failed", failed);
    return 0;
}
