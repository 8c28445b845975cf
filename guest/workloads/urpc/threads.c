// SPDX-License-Identifier: MIT

// What threads cost at user level: the column FastThreads of URPC Table I. On one processor.
// Arguments: calls (1000), warm_up (20). Names as in kernel_calls.c.

#include "threads.h"
#include "space.h"
#include "symsim.h"

static unsigned calls, warm_up;
static struct thread_mutex mutex = THREAD_MUTEX_INIT;

typedef void action(void);

static __attribute__((noinline, noclone)) void call_procedure(void) {
    __asm__ volatile("");
}

static void null_thread(void* unused) {
    (void)unused;
}

static void fork_join(void) {
    struct thread_task task;
    thread_fork(&task, null_thread, NULL);
    thread_join(&task);
}

static void lock_pair(void) {
    thread_mutex_lock(&mutex);
    thread_mutex_unlock(&mutex);
}

static uint64_t mean_ns(action* act) {
    for (unsigned i = 0; i < warm_up; i++) act();
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < calls; i++) act();
    return (uint64_t)(clock_us() - begin) * 1000 / calls;
}

#define AT_ONCE 32  // threads that are ready at a time

static void fork_many(void) {
    for (unsigned i = 0; i < AT_ONCE; i++) thread_create(null_thread, NULL);
    thread_yield();
}

static uint64_t fork_ns(void) {
    fork_many();
    const unsigned rounds = calls / AT_ONCE + 1;
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < rounds; i++) fork_many();
    return (uint64_t)(clock_us() - begin) * 1000 / (rounds * AT_ONCE);
}

static void yield(void) {
    thread_yield();
}

// Each thread waits for its own semaphore, and posts that of the other.
static struct thread_semaphore ping_turn = THREAD_SEMAPHORE_INIT(0);
static struct thread_semaphore pong_turn = THREAD_SEMAPHORE_INIT(0);

static void pong(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < calls; i++) {
        thread_semaphore_wait(&pong_turn);
        thread_semaphore_post(&ping_turn);
    }
}

static uint64_t ping_pong_ns(void) {
    struct thread_task other;
    thread_fork(&other, pong, NULL);
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < calls; i++) {
        thread_semaphore_post(&pong_turn);
        thread_semaphore_wait(&ping_turn);
    }
    const uint32_t end = clock_us();
    thread_join(&other);
    return (uint64_t)(end - begin) * 1000 / calls;
}

int main(void) {
    calls = arg_unsigned("calls", 1000);
    warm_up = arg_unsigned("warm_up", 20);
    if (calls == 0) panic("argument calls: 0; at least 1");
    report("procedure_call_ns", mean_ns(call_procedure));
    report("fork_ns", fork_ns());
    report("fork_join_ns", mean_ns(fork_join));
    report("yield_ns", mean_ns(yield));
    report("lock_pair_ns", mean_ns(lock_pair));
    report("ping_pong_ns", ping_pong_ns());
    return 0;
}
