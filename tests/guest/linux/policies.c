// SPDX-License-Identifier: MIT
//
// Where three threads run that share the processors with each other, by guest.scheduler.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#define THREADS 3

static int seen[THREADS];
static pthread_barrier_t all;

static void* run(void* argument) {
    int* own = argument;
    pthread_barrier_wait(&all);
    for (int i = 0; i < 60; i++) {
        *own |= 1 << sched_getcpu();
        sched_yield();
    }
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    pthread_barrier_init(&all, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, run, &seen[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) printf("thread %d: set of processors %#x\n", i + 1, seen[i]);
    fflush(stdout);
    return 0;
}
