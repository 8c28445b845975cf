// SPDX-License-Identifier: MIT
//
// What the kernel of Linux programs costs: `costs OPERATION NUMBER` does an operation so often, and
// prints the clocks of one, by rdtsc. scripts/linux_costs.py runs it, and counts the rest.

#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static inline uint64_t clocks(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static inline int call(int number, void* word, int operation, int value) {
    int result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(word), "c"(operation), "d"(value), "S"(0)
                     : "memory");
    return result;
}

static int number;
static uint64_t started;

static uint64_t null_call(void) {
    const uint64_t begin = clocks();
    for (int i = 0; i < number; i++) call(SYS_getppid, NULL, 0, 0);
    return clocks() - begin;
}

static uint64_t page_fault(void) {
    char* pages = mmap(NULL, (size_t)number * 4096 + 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t begin = clocks();
    for (int i = 0; i < number; i++) pages[i * 4096] = 1;
    return clocks() - begin;
}

static void* note_start(void* unused) {
    started = clocks();
    return unused;
}

static uint64_t thread_start(void) {
    uint64_t sum = 0;
    for (int i = 0; i < number; i++) {
        pthread_t thread;
        const uint64_t begin = clocks();
        pthread_create(&thread, NULL, note_start, NULL);
        pthread_join(thread, NULL);
        sum += started - begin;
    }
    return sum;
}

static uint64_t fork_and_wait(void) {
    const uint64_t begin = clocks();
    for (int i = 0; i < number; i++) {
        if (fork() == 0) _exit(0);
        wait(NULL);
    }
    return clocks() - begin;
}

// ---- two threads ----

static int turn __attribute__((aligned(64)));

static void* yield(void* unused) {
    for (int i = 0; i < number; i++) call(SYS_sched_yield, NULL, 0, 0);
    return unused;
}

static void pass_on(int from, int to) {
    for (int i = 0; i < number; i++) {
        while (turn != from) call(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, to);
        turn = to;
        call(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1);
    }
}

static void* pass_back(void* unused) {
    pass_on(1, 0);
    return unused;
}

// Half of the time in which both do it `number` times.
static uint64_t with_partner(void* (*partner)(void*), void (*own)(void)) {
    pthread_t thread;
    pthread_create(&thread, NULL, partner, NULL);
    const uint64_t begin = clocks();
    own();
    pthread_join(thread, NULL);
    return (clocks() - begin) / 2;
}

static void yield_too(void) {
    yield(NULL);
}
static void pass_first(void) {
    pass_on(0, 1);
}

static uint64_t switch_threads(void) {
    return with_partner(yield, yield_too);
}
static uint64_t hand_off(void) {
    return with_partner(pass_back, pass_first);
}

static const struct {
    const char* name;
    uint64_t (*run)(void);
} operations[] = {{"null-call", null_call},       {"page-fault", page_fault},
                  {"thread-start", thread_start}, {"fork", fork_and_wait},
                  {"switch", switch_threads},     {"handoff", hand_off}};

int main(int count, char** arguments) {
    if (count < 3) return 2;
    number = atoi(arguments[2]);
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, arguments[1]) == 0)
            printf("%s %llu\n", arguments[1], operations[i].run() / number);
    return 0;
}
