// SPDX-License-Identifier: MIT
// What seen.py looks for: threads with names, futex waits, page faults, system calls.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "probes.h"

// A static probe in the form of sys/sdt.h, which not every host has.
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define EVENT(name, one, other) DTRACE_PROBE2(seen, name, one, other)
#else
#define EVENT(name, one, other)                                                     \
    __asm__ volatile(                                                               \
        "990: nop\n"                                                                \
        ".pushsection .note.stapsdt,\"\",\"note\"\n"                                \
        ".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                              \
        "991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                \
        "993: .4byte 990b, _.stapsdt.base, 0\n"                                     \
        ".asciz \"seen\"\n .asciz \"" #name                                         \
        "\"\n .asciz \"-4@%0 -4@%1\"\n"                                             \
        "994: .balign 4\n .popsection\n"                                            \
        ".ifndef _.stapsdt.base\n"                                                  \
        ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"     \
        ".weak _.stapsdt.base\n .hidden _.stapsdt.base\n"                           \
        "_.stapsdt.base: .space 1\n .size _.stapsdt.base, 1\n .popsection\n .endif" \
        :                                                                           \
        : "nor"(one), "nor"(other))
#endif

#define TURNS 20

static pthread_barrier_t start;
static volatile int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void stay(int turns) {
    for (volatile int i = 0; i < turns; i++) {
    }
}

int own_lock;

__attribute__((noinline)) void section(int turn) {
    pthread_mutex_lock(&lock);
    PROBE(PROBE_LOCK_ATTEMPT, &own_lock);
    PROBE(PROBE_LOCK_ACQUIRED, &own_lock);
    sum++;
    stay(300);
    PROBE(PROBE_LOCK_RELEASE, &own_lock);
    pthread_mutex_unlock(&lock);
    EVENT(passes, turn, -sum);
}

// ---- what removes calls without a return ----

static jmp_buf back;

__attribute__((noinline)) static void deep(int levels) {
    if (levels == 0) longjmp(back, 1);
    deep(levels - 1);
    stay(1);
}

static void handler(int signal) {
    stay(1000 + signal);
    sum = sum;  // so that the call is none in tail position
}

static void* first(void* name) {
    prctl(PR_SET_NAME, name);
    pthread_barrier_wait(&start);
    for (int i = 0; i < TURNS; i++) section(i);
    return NULL;
}

static void* second(void* name) {
    return first(name);
}

__attribute__((noinline)) static void crash(void) {
    *(volatile int*)16 = 1;
}

int main(int argc, char** argv) {
    pthread_t one, other;
    pthread_barrier_init(&start, NULL, 2);
    pthread_create(&one, NULL, first, "alpha");
    pthread_create(&other, NULL, second, "a-name-that-is-too-long");
    if (setjmp(back) == 0) deep(5);
    stay(1000);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    stay(1000);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < 7; i++) getppid();
    getgid();
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    memset(malloc(64 * 4096), 1, 64 * 4096);
    printf("%d\n", sum);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "crash") == 0) crash();
    return 0;
}
