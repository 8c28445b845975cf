// SPDX-License-Identifier: MIT

// What kernel threads, LRPC and kernel messages cost: the kernel's column of URPC Table I, and what
// section 4.3 compares with. Arguments: calls (1000), warm_up (20), words (0) of argument and
// result, only: lrpc or message, to measure nothing else.
//
//   procedure_call_ns  a call of a C procedure
//   trap_ns            a trap that does nothing
//   system_call_ns     a system call that does nothing
//   fork_ns            a thread from its creation to its end, the parent not waiting for each
//   fork_join_ns       the same, the parent waiting for each
//   yield_ns           a thread that yields, and as the only one that is ready runs again
//   lock_pair_ns       lock and unlock of a free mutex
//   ping_pong_ns       a cycle of two threads that signal each other: both wait, and both run
//   lrpc_ns            an LRPC of the server's procedure
//   message_ns         the same by messages

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "kernel_message.h"
#include "kernel_threads.h"
#include "lrpc.h"
#include "space.h"
#include "string.h"
#include "symsim.h"

static unsigned calls, warm_up, words;
static int server, binding;
static unsigned* arguments;
static struct kernel_mutex mutex = KERNEL_MUTEX_INIT;

typedef void action(void);

static __attribute__((noinline, noclone)) void call_procedure(void) {
    __asm__ volatile("");
}

static void trap(void) {
    __asm__ volatile("int %0" : : "i"(NOTHING_VECTOR));
}

static void call_kernel(void) {
    system_call(CALL_NOTHING, 0, 0, 0);
}

static void null_thread(void* unused) {
    (void)unused;
}

static kernel_thread forked(void) {
    const kernel_thread thread = kernel_thread_fork(null_thread, NULL);
    if (thread < 0) panic("no thread is left");
    return thread;
}

static void fork_join(void) {
    kernel_thread_join(forked());
}

static void lock_pair(void) {
    kernel_mutex_lock(&mutex);
    kernel_mutex_unlock(&mutex);
}

static void call_by_lrpc(void) {
    for (unsigned i = 0; i < words; i++) arguments[i] = i;
    if (lrpc_call(binding, words != 0, 0) != 0) panic("an LRPC has failed");
}

static void call_by_message(void) {
    unsigned data[MESSAGE_WORDS];
    for (unsigned i = 0; i < words; i++) data[i] = i;
    if (message_call(server, data, words) != (int)words) panic("a call by message has failed");
}

static uint64_t mean_ns(action* act) {
    for (unsigned i = 0; i < warm_up; i++) act();
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < calls; i++) act();
    return (uint64_t)(clock_us() - begin) * 1000 / calls;
}

// Threads run when the parent yields: so many at a time, of those that the kernel has.
#define AT_ONCE 32

static void fork_many(void) {
    for (unsigned i = 0; i < AT_ONCE; i++) forked();
    kernel_thread_yield();
}

static uint64_t fork_ns(void) {
    fork_many();
    const unsigned rounds = calls / AT_ONCE + 1;
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < rounds; i++) fork_many();
    return (uint64_t)(clock_us() - begin) * 1000 / (rounds * AT_ONCE);
}

static kernel_thread pong_thread, ping_thread;

static void pong(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < calls; i++) {
        kernel_thread_block();
        kernel_thread_signal(ping_thread);
    }
}

static uint64_t ping_pong_ns(void) {
    ping_thread = kernel_thread_self();
    pong_thread = kernel_thread_fork(pong, NULL);
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < calls; i++) {
        kernel_thread_signal(pong_thread);
        kernel_thread_block();
    }
    const uint32_t end = clock_us();
    kernel_thread_join(pong_thread);
    return (uint64_t)(end - begin) * 1000 / calls;
}

static void bind(void) {
    server = space_named("server");
    while ((binding = lrpc_bind(server)) < 0) kernel_thread_yield();
    arguments = lrpc_arguments(binding, 0);
}

static void report_threads(void) {
    report("procedure_call_ns", mean_ns(call_procedure));
    report("trap_ns", mean_ns(trap));
    report("system_call_ns", mean_ns(call_kernel));
    report("fork_ns", fork_ns());
    report("fork_join_ns", mean_ns(fork_join));
    report("yield_ns", mean_ns(kernel_thread_yield));
    report("lock_pair_ns", mean_ns(lock_pair));
    report("ping_pong_ns", ping_pong_ns());
}

int main(void) {
    calls = arg_unsigned("calls", 1000);
    warm_up = arg_unsigned("warm_up", 20);
    words = arg_unsigned("words", 0);
    if (calls == 0 || words > MESSAGE_WORDS)
        panic("arguments calls and words: %u, %u; at least 1, at most %u", calls, words,
              MESSAGE_WORDS);
    bind();
    const char* only = arg_string("only", "");
    if (only[0] == '\0') report_threads();
    if (strcmp(only, "message") != 0) report("lrpc_ns", mean_ns(call_by_lrpc));
    if (strcmp(only, "lrpc") != 0) report("message_ns", mean_ns(call_by_message));
    return 0;
}
