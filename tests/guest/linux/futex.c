// SPDX-License-Identifier: MIT
//
// The operations of futexes by system calls: who is woken, moved and counted.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word, other;
static atomic_int waiting, woken;

static long futex(int* at, int operation, int value, void* time, int* second, int third) {
    const long result = syscall(SYS_futex, at, operation, value, time, second, third);
    return result < 0 ? -errno : result;
}

struct wait {
    int operation, bits;
};

static void* wait_once(void* argument) {
    const struct wait* wait = argument;
    waiting++;
    futex(&word, wait->operation, 0, NULL, NULL, wait->bits);
    woken++;
    return NULL;
}

// Waits until `number` have been woken, and shows that no more are.
static void expect(const char* what, int number) {
    for (int i = 0; i < 400 && woken != number; i++) usleep(500);
    usleep(2000);
    printf("%s: %d awake\n", what, woken);
}

static void start(pthread_t* thread, int number, struct wait* wait) {
    waiting = woken = 0;
    for (int i = 0; i < number; i++) pthread_create(&thread[i], NULL, wait_once, wait);
    while (waiting != number) usleep(500);
    usleep(5000);
}

static void join(pthread_t* thread, int number) {
    for (int i = 0; i < number; i++) pthread_join(thread[i], NULL);
}

int main(void) {
    pthread_t thread[4];
    struct wait plain = {FUTEX_WAIT_PRIVATE, 0}, bits = {FUTEX_WAIT_BITSET_PRIVATE, 4},
                shared = {FUTEX_WAIT, 0};

    start(thread, 4, &plain);
    printf("other word %ld\n", futex(&other, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
    printf("shared %ld\n", futex(&word, FUTEX_WAKE, 9, NULL, NULL, 0));
    printf("no number %ld\n", futex(&word, FUTEX_WAKE_PRIVATE, 0, NULL, NULL, 0));
    expect("one", 1);
    printf("moved %ld\n", futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)1, &other, 0));
    expect("one of three", 2);
    printf("changed %ld\n", futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)1, &other, 5));
    printf("at the new word %ld\n", futex(&other, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
    expect("and that", 3);
    printf("requeue %ld\n", futex(&word, FUTEX_REQUEUE_PRIVATE, 0, (void*)9, &other, 0));
    printf("the last %ld\n", futex(&other, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
    join(thread, 4);

    start(thread, 2, &bits);
    printf("other bits %ld\n", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 9, NULL, NULL, 3));
    printf("one %ld\n", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, -1, NULL, NULL, 6));
    printf("these bits %ld\n", futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 9, NULL, NULL, 6));
    join(thread, 2);

    start(thread, 2, &shared);
    printf("private %ld\n", futex(&word, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0));
    other = 5;
    const int add = FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 4);
    printf("wake op %ld", futex(&word, FUTEX_WAKE_OP, 1, (void*)1, &other, add));
    printf(" %d\n", other);
    const int set = FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_GT, 7);
    printf("wake op %ld", futex(&other, FUTEX_WAKE_OP, 1, (void*)1, &word, set));
    printf(" %d\n", word);
    printf("the last %ld\n", futex(&word, FUTEX_WAKE, 9, NULL, NULL, 0));
    join(thread, 2);

    struct timespec soon = {0, 3000000}, now;
    printf("late %ld", futex(&word, FUTEX_WAIT_PRIVATE, 1, &soon, NULL, 0));
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf(" %ld\n", futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 1, &now, NULL, -1));
    fflush(stdout);
    return 0;
}
