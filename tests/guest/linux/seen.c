// SPDX-License-Identifier: MIT
// What seen.py looks for: threads with names, futex waits, page faults, system calls.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define TURNS 20

static pthread_barrier_t start;
static volatile int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void stay(int turns) {
    for (volatile int i = 0; i < turns; i++) {
    }
}

__attribute__((noinline)) void section(void) {
    pthread_mutex_lock(&lock);
    sum++;
    stay(300);
    pthread_mutex_unlock(&lock);
}

static void* first(void* name) {
    prctl(PR_SET_NAME, name);
    pthread_barrier_wait(&start);
    for (int i = 0; i < TURNS; i++) section();
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
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < 7; i++) getppid();
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    memset(malloc(64 * 4096), 1, 64 * 4096);
    printf("%d\n", sum);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "crash") == 0) crash();
    return 0;
}
