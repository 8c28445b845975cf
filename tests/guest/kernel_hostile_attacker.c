// SPDX-License-Identifier: MIT

// Makes system calls at random, but for those by which it would only end itself; and then ends.

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "space.h"
#include "test.h"

#define KERNEL_BEGIN 0x100000
#define RECORDS 512  // of the kernel's threads, THREADS_MOST in kernel/spaces/threads.c
#define THREADS 16
#define ROUNDS 100

int main(void);

// Numbers and addresses that are right for somebody, or nearly so.
static uint32_t any_value(const unsigned* buffer) {
    const uint32_t special[] = {
        0x7fffffff,
        0x80000000,
        -1u,
        -4096u,
        KERNEL_BEGIN,
        (uint32_t)main,
        (uint32_t)buffer,
        (uint32_t)space_info(0),
        BOARD_CLOCK_US,
        BOARD_PROCESSOR,
    };
    const unsigned choice = random_below(30);
    if (choice < sizeof special / sizeof special[0]) return special[choice];
    if (choice < 20) return random_below(14);
    return (1 + random_below(3)) * RECORDS + random_below(16);  // a thread
}

static uint32_t any_call(void) {
    for (;;) {
        const uint32_t call = random_below(CALLS + 4);
        if (call != CALL_STOP && call != CALL_WRITE && call != CALL_THREAD_FORK &&
            call != CALL_LRPC_EXPORT)
            return call;
    }
}

static void yield(unsigned* arguments) {
    (void)arguments;
    kernel_thread_yield();
}

static void block(unsigned* arguments) {
    (void)arguments;
    for (;;) kernel_thread_block();
}

static void attack(void* unused) {
    (void)unused;
    unsigned buffer[16];
    for (;;) {
        system_call(any_call(), any_value(buffer), any_value(buffer), any_value(buffer));
        if (random_below(4) == 0) kernel_thread_yield();
    }
}

// Threads that have ended are replaced, and those that wait for a signal get one.
int main(void) {
    static kernel_thread threads[THREADS];
    static lrpc_procedure* const procedures[] = {yield, block};
    space_serves();
    lrpc_export(procedures, 2);
    lrpc_bind(space_named("server"));
    for (unsigned i = 0; i < ROUNDS; i++) {
        kernel_thread* thread = &threads[i % THREADS];
        if (kernel_thread_signal(*thread) != 0) *thread = kernel_thread_fork(attack, NULL);
        kernel_thread_yield();
    }
    return 0;
}
