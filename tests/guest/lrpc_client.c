// SPDX-License-Identifier: MIT

// LRPC: calls and calls back, many threads in one server, and all that the kernel has to refuse.

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "lrpc_calls.h"
#include "space.h"
#include "test.h"

#define CALLERS 8
#define CALLS 10
#define STACKS 4

static int server, binding;

static unsigned* arguments_of(unsigned stack) {
    return lrpc_arguments(binding, stack);
}

static void check_add(unsigned stack) {
    unsigned* arguments = arguments_of(stack);
    arguments[0] = 20 + stack;
    arguments[1] = 22;
    CHECK(lrpc_call(binding, ADD, stack) == 0);
    CHECK_EQUAL(arguments[0], 42 + stack);
}

static void check_refused(void) {
    CHECK(lrpc_bind(space_self()) < 0 && lrpc_bind(-1) < 0 && lrpc_bind(MAX_SPACES) < 0);
    CHECK(lrpc_bind(server) == binding);
    CHECK(lrpc_arguments(-1, 0) == NULL && lrpc_arguments(binding + 1, 0) == NULL);
    CHECK(lrpc_call(-1, ADD, 0) == LRPC_FAILED);
    for (int forged = 0; forged < 60; forged++)
        CHECK((lrpc_call(forged, ADD, 0) == 0) == (forged == binding));
    CHECK(lrpc_call(binding, PROCEDURES, 0) == LRPC_FAILED);
    CHECK(lrpc_call(binding, -1u, 0) == LRPC_FAILED);
    CHECK(lrpc_call(binding, ADD, STACKS) == LRPC_FAILED);
    CHECK(lrpc_call(binding, ADD, -1u) == LRPC_FAILED);
    CHECK_EQUAL(system_call(CALL_LRPC_RETURN, 0, 0, 0), -1u);
    CHECK_EQUAL(system_call(CALL_DONATE, (uint32_t)server, 0, 0), -1u);
    CHECK_EQUAL(system_call(CALL_THREADS_SERVE, 0, 0, 0), -1u);
}

// Two threads for each argument stack: a stack that is in use is refused.
static void count(void* number) {
    const unsigned stack = (unsigned)number % STACKS;
    for (unsigned i = 0; i < CALLS; i++)
        while (lrpc_call(binding, COUNT, stack) != 0) kernel_thread_yield();
}

static void check_count(void) {
    kernel_thread threads[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) threads[i] = kernel_thread_fork(count, (void*)i);
    for (unsigned i = 0; i < CALLERS; i++) CHECK(kernel_thread_join(threads[i]) == 0);
    CHECK(lrpc_call(binding, COUNT, 0) == 0);
    CHECK_EQUAL(arguments_of(0)[0], CALLERS * CALLS + 1);
}

// A signal of this space is for when the thread is back, and one of the server for the call.
static void signal_caller(void* caller) {
    while (*(volatile unsigned*)arguments_of(0) == 0) kernel_thread_yield();
    CHECK(kernel_thread_signal((kernel_thread)caller) == 0);
}

static void check_signals(void) {
    *(volatile unsigned*)arguments_of(0) = 0;
    const kernel_thread other = kernel_thread_fork(signal_caller, (void*)kernel_thread_self());
    CHECK(lrpc_call(binding, AWAIT, 0) == 0);
    CHECK_EQUAL(arguments_of(0)[0], true);
    CHECK(kernel_thread_join(other) == 0);
    kernel_thread_block();
}

static void twice(unsigned* arguments) {
    arguments[1] *= 2;
}

static void check_call_back(void) {
    static lrpc_procedure* const procedures[] = {twice};
    lrpc_export(procedures, 1);
    unsigned* arguments = arguments_of(1);
    arguments[0] = (unsigned)space_self();
    arguments[1] = 21;
    CHECK(lrpc_call(binding, CALL_BACK, 1) == 0);
    CHECK_EQUAL(arguments[0], 42);
}

// The server finds its own selectors, whatever the client has loaded.
static int call_without_segments(void) {
    uint32_t result = CALL_LRPC_CALL;
    __asm__ volatile(
        "pushl %%ebp\n\t"
        "pushl %%gs\n\t"
        "xorl %%ebp, %%ebp\n\t"
        "movl %%ebp, %%ds\n\t"
        "movl %%ebp, %%es\n\t"
        "movl %%ebp, %%gs\n\t"
        "std\n\t"
        "int %[vector]\n\t"
        "popl %%gs\n\t"
        "popl %%ebp"
        : "+a"(result)
        : "b"(binding), "c"(ADD), "d"(2), [vector] "i"(SYSTEM_CALL_VECTOR)
        : "esi", "edi", "memory", "cc");
    return (int)result;
}

static void check_registers(void) {
    for (unsigned i = 0; i < 3; i++) {
        CHECK(call_without_segments() == 0);
        check_add(0);
        CHECK(lrpc_call(binding, BAD_RETURN, 3) == 0);
        check_add(3);
    }
}

int main(void) {
    server = space_named("server");
    while ((binding = lrpc_bind(server)) < 0) kernel_thread_yield();
    for (unsigned stack = 0; stack < STACKS; stack++) check_add(stack);
    check_refused();
    check_count();
    check_signals();
    check_call_back();
    check_registers();
    CHECK(lrpc_call(binding, LEAVE, 0) == LRPC_FAILED);
    check_add(0);
    report("calls", CALLERS * CALLS + 1);
    return 0;
}
