// SPDX-License-Identifier: MIT

// System calls with any arguments, in any order, also from kernel threads: the kernel continues. The
// victim (spaces_fuzz_victim.c) is in the same image.

#include "hostile.h"
#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "test.h"

#define STEPS 4000  // a thread that donates a processor leaves its stack behind

static volatile unsigned steps;
static unsigned words[16];

static uint32_t random(void) {
    static uint32_t state;
    if (state == 0) state = 0x9e3779b9 * (SEED + arg_unsigned("seed", 0));
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state + (uint32_t)space_self();
}

static uint32_t argument(void) {
    const uint32_t some[] = {0,
                             1,
                             2,
                             3,
                             16,
                             17,
                             -1u,
                             1u << 31,
                             (uintptr_t)words,
                             (uintptr_t)&words[16] - 4,
                             0x100000,
                             (uintptr_t)space_info(0),
                             (uintptr_t)space_info(0) + 4092,
                             0xCC002000,
                             0xD0000000,
                             0xfffffffc};
    const unsigned which = random() % 20;
    return which < 16 ? some[which] : random();
}

static __attribute__((regparm(2))) void thread_begins(void* function, void* unused);

static void call(void) {
    uint32_t number = random() % (CALLS + 2), first = argument();
    if (number == CALL_STOP) return;
    if (number == CALL_WRITE && random() % 8 != 0) first = argument() & 0xff;  // mostly no device
    if (number == CALL_THREADS_SERVE || number == CALL_THREAD_FORK || number == CALL_LRPC_EXPORT)
        first =
            (uintptr_t)thread_begins;  // else the thread faults, which is not the kernel's fault
    if (number == CALL_THREADS_SERVE && random() % 16 != 0) return;
    system_call(number, first, argument(), argument());
}

static bool done(void) {
    steps++;
    return steps > STEPS || !continues(space_named("victim"));
}

// A kernel thread: no step of it can use the thread package.
static __attribute__((regparm(2))) void thread_begins(void* function, void* unused) {
    (void)function, (void)unused;
    while (!done()) call();
    for (;;) system_call(CALL_STOP, 0, 0, 0);
}

// A thread whose processor goes away does not run on: the next one continues.
static void step(void* unused) {
    (void)unused;
    if (done()) exit(0);
    thread_create(step, NULL);
    call();
}

int main(void) {
    static struct thread_semaphore never = THREAD_SEMAPHORE_INIT(0);
    thread_create(step, NULL);
    thread_semaphore_wait(&never);
    return 0;
}
