// SPDX-License-Identifier: MIT

// Has as many threads as it can have, which are all ready when it ends.

#include "kernel_threads.h"
#include "lrpc.h"
#include "lrpc_faults_calls.h"
#include "space.h"
#include "test.h"

static struct kernel_mutex mutex = KERNEL_MUTEX_INIT;
static kernel_thread main_thread;

static void nothing(unsigned* arguments) {
    (void)arguments;
}

static void block(unsigned* arguments) {
    *arguments = 1;
    for (;;) kernel_thread_block();
}

static void join(unsigned* arguments) {
    *arguments = 1;
    kernel_thread_join(main_thread);
}

static void lock(unsigned* arguments) {
    *arguments = 1;
    for (;;) kernel_mutex_lock(&mutex);
}

static void call_through(unsigned* arguments) {
    const int binding = lrpc_bind(space_self() + 1);
    CHECK(binding >= 0);
    *arguments = 1;
    CHECK(lrpc_call(binding, BLOCK, 0) == LRPC_FAILED);
    panic("a thread has come back into a space that has ended");
}

static void yield(unsigned* arguments) {
    *arguments = 1;
    for (;;) kernel_thread_yield();
}

static void fault(unsigned* arguments) {
    (void)arguments;
    *(volatile unsigned* volatile)NULL = 1;
}

static void end(unsigned* arguments) {
    (void)arguments;
    exit(0);
}

static void yield_for_ever(void* unused) {
    (void)unused;
    for (;;) kernel_thread_yield();
}

int main(void) {
    static lrpc_procedure* const procedures[PROCEDURES] = {
        [NOTHING] = nothing,      [BLOCK] = block, [JOIN] = join,   [LOCK] = lock,
        [THROUGH] = call_through, [YIELD] = yield, [FAULT] = fault, [EXIT] = end,
    };
    main_thread = kernel_thread_self();
    space_serves();
    while (kernel_thread_fork(yield_for_ever, NULL) >= 0) {
    }
    lrpc_export(procedures, PROCEDURES);
    for (;;) kernel_thread_block();
}
