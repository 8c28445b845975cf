// SPDX-License-Identifier: MIT

// Threads of the kernel: what each operation does, with fewer and more threads than processors.

#include "kernel_threads.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "test.h"

#define CALLERS 40
#define ROUNDS 10
#define THREADS_MOST 64  // kernel_threads.h
#define NONE (-1)

static struct kernel_mutex mutex = KERNEL_MUTEX_INIT;
static unsigned counter;

static void set(void* flag) {
    *(volatile unsigned*)flag = 1;
}

// ---- fork and join ----

static void join(void* thread) {
    CHECK(kernel_thread_join((kernel_thread)thread) == 0);
}
static void join_in_vain(void* thread) {
    CHECK(kernel_thread_join((kernel_thread)thread) == NONE);
}
static void wait_for_signal(void* unused) {
    (void)unused;
    kernel_thread_block();
}

static void check_join(void) {
    unsigned flag = 0;
    const kernel_thread thread = kernel_thread_fork(set, &flag);
    CHECK(thread >= 0 && thread != kernel_thread_self());
    CHECK(kernel_thread_join(thread) == 0 && flag == 1);
    CHECK(kernel_thread_join(thread) == 0);  // it has ended
    CHECK(kernel_thread_signal(thread) == NONE);
    CHECK(kernel_thread_join(kernel_thread_self()) == NONE);
    CHECK(kernel_thread_join(NONE) == 0 && kernel_thread_join(1 << 30) == 0);
    CHECK(kernel_thread_signal(NONE) == NONE && kernel_thread_signal(1 << 30) == NONE);
    const kernel_thread again = kernel_thread_fork(set, &flag);  // with the same record
    CHECK(again != thread && kernel_thread_signal(thread) == NONE);
    CHECK(kernel_thread_join(again) == 0);
}

static void check_second_joiner(void) {
    const kernel_thread first = kernel_thread_fork(wait_for_signal, NULL);
    const kernel_thread joiner = kernel_thread_fork(join, (void*)first);
    for (unsigned i = 0; i < 10; i++) kernel_thread_yield();  // the joiner waits now
    const kernel_thread late = kernel_thread_fork(join_in_vain, (void*)first);
    CHECK(kernel_thread_join(late) == 0);
    CHECK(kernel_thread_signal(first) == 0);
    CHECK(kernel_thread_join(joiner) == 0);
}

// All records at a time, each with a stack of its own, and then again.
static void hold(void* sum) {
    const unsigned self = (unsigned)kernel_thread_self();
    volatile unsigned own[64];
    for (unsigned i = 0; i < 64; i++) own[i] = self;
    kernel_thread_block();
    for (unsigned i = 0; i < 64; i++) CHECK_EQUAL(own[i], self);
    kernel_mutex_lock(&mutex);
    ++*(unsigned*)sum;
    kernel_mutex_unlock(&mutex);
}

static void check_most(void) {
    kernel_thread threads[THREADS_MOST];
    unsigned number = 0, sum = 0;
    while ((threads[number] = kernel_thread_fork(hold, &sum)) != NONE) number++;
    CHECK_EQUAL(number, THREADS_MOST - 1);  // and main
    for (unsigned i = 0; i < number; i++) CHECK(kernel_thread_signal(threads[i]) == 0);
    for (unsigned i = 0; i < number; i++) CHECK(kernel_thread_join(threads[i]) == 0);
    CHECK_EQUAL(sum, number);
}

// ---- signals ----

static void wait_thrice(void* times) {
    for (unsigned i = 0; i < 3; i++) {
        kernel_thread_block();
        ++*(volatile unsigned*)times;
    }
}

static void check_signals(void) {
    volatile unsigned times = 0;
    const kernel_thread thread = kernel_thread_fork(wait_thrice, (void*)&times);
    for (unsigned i = 0; i < 2; i++) CHECK(kernel_thread_signal(thread) == 0);
    while (times < 2) kernel_thread_yield();
    for (unsigned i = 0; i < 20; i++) kernel_thread_yield();
    CHECK_EQUAL(times, 2);
    CHECK(kernel_thread_signal(thread) == 0);
    CHECK(kernel_thread_join(thread) == 0 && times == 3);
    for (unsigned i = 0; i < 5; i++) kernel_thread_signal(kernel_thread_self());
    for (unsigned i = 0; i < 5; i++) kernel_thread_block();
}

static kernel_thread main_thread;

static void answer(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < 50; i++) {
        kernel_thread_block();
        counter++;
        kernel_thread_signal(main_thread);
    }
}

static void check_ping_pong(void) {
    main_thread = kernel_thread_self();
    counter = 0;
    const kernel_thread other = kernel_thread_fork(answer, NULL);
    for (unsigned i = 0; i < 50; i++) {
        CHECK_EQUAL(*(volatile unsigned*)&counter, i);
        kernel_thread_signal(other);
        kernel_thread_block();
    }
    CHECK(kernel_thread_join(other) == 0);
}

// ---- mutex ----

static void count(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++) {
        kernel_mutex_lock(&mutex);
        const unsigned seen = counter;
        kernel_thread_yield();
        counter = seen + 1;
        kernel_mutex_unlock(&mutex);
    }
}

static void check_mutex(void) {
    kernel_thread threads[CALLERS];
    counter = 0;
    for (unsigned i = 0; i < CALLERS; i++) threads[i] = kernel_thread_fork(count, NULL);
    for (unsigned i = 0; i < CALLERS; i++) CHECK(kernel_thread_join(threads[i]) == 0);
    CHECK_EQUAL(counter, CALLERS * ROUNDS);
}

// It waits for the mutex when the signals come that it waits for later.
static void lock_and_block(void* has) {
    kernel_mutex_lock(&mutex);
    *(volatile unsigned*)has = 1;
    kernel_mutex_unlock(&mutex);
    for (unsigned i = 0; i < 2; i++) kernel_thread_block();
}

static void check_signals_while_locking(void) {
    unsigned has = 0;
    kernel_mutex_lock(&mutex);
    const kernel_thread thread = kernel_thread_fork(lock_and_block, &has);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 10; j++) kernel_thread_yield();
        CHECK(kernel_thread_signal(thread) == 0);
    }
    for (unsigned j = 0; j < 10; j++) kernel_thread_yield();
    CHECK_EQUAL(*(volatile unsigned*)&has, 0);
    kernel_mutex_unlock(&mutex);
    CHECK(kernel_thread_join(thread) == 0 && has == 1);
}

int main(void) {
    check_join();
    check_second_joiner();
    check_signals();
    check_ping_pong();
    check_mutex();
    check_signals_while_locking();
    for (unsigned i = 0; i < 2; i++) check_most();
    CHECK_EQUAL(system_call(CALL_LRPC_RETURN, 0, 0, 0), -1u);
    CHECK_EQUAL(system_call(CALL_THREADS_SERVE, 0, 0, 0), -1u);
    report("threads", counter);
    return 0;
}
