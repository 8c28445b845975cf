// SPDX-License-Identifier: MIT

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "lrpc_calls.h"
#include "space.h"
#include "test.h"

static struct kernel_mutex mutex = KERNEL_MUTEX_INIT;

static void add(unsigned* arguments) {
    arguments[0] += arguments[1];
}

static void count(unsigned* arguments) {
    static unsigned calls;
    kernel_mutex_lock(&mutex);
    const unsigned seen = calls;
    kernel_thread_yield();
    arguments[0] = calls = seen + 1;
    kernel_mutex_unlock(&mutex);
}

static volatile bool let_go;

static void wake(void* thread) {
    for (unsigned i = 0; i < 20; i++) kernel_thread_yield();
    let_go = true;
    CHECK(kernel_thread_signal((kernel_thread)thread) == 0);
}

static void await(unsigned* arguments) {
    const kernel_thread waker = kernel_thread_fork(wake, (void*)kernel_thread_self());
    arguments[0] = 1;  // the client's other thread signals this one now
    kernel_thread_block();
    arguments[0] = let_go;
    CHECK(kernel_thread_join(waker) == 0);
}

static void call_back(unsigned* arguments) {
    const int client = lrpc_bind((int)arguments[0]);
    unsigned* own = lrpc_arguments(client, 0);
    CHECK(own != NULL);
    own[1] = arguments[1];
    CHECK(lrpc_call(client, DOUBLE, 0) == 0);
    arguments[0] = own[1];
}

static void bad_return(unsigned* arguments) {
    (void)arguments;
    __asm__ volatile(
        "pushl $-1\n\t"
        "andl $~0x4300, (%%esp)\n\t"  // not the flags of task, interrupts and single step
        "popfl\n\t"
        "xorl %%esp, %%esp\n\t"
        "movl %%esp, %%ds\n\t"
        "movl %%esp, %%es\n\t"
        "movl %%esp, %%fs\n\t"
        "movl %%esp, %%gs\n\t"
        "int %1"
        :
        : "a"(CALL_LRPC_RETURN), "i"(SYSTEM_CALL_VECTOR));
    __builtin_unreachable();
}

static void leave(unsigned* arguments) {
    (void)arguments;
    kernel_thread_exit();
}

int main(void) {
    static lrpc_procedure* const procedures[PROCEDURES] = {
        [ADD] = add,     [COUNT] = count,           [AWAIT] = await, [CALL_BACK] = call_back,
        [LEAVE] = leave, [BAD_RETURN] = bad_return,
    };
    space_serves();
    lrpc_export(procedures, PROCEDURES);
    for (;;) kernel_thread_block();
}
