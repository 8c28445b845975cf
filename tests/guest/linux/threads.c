// SPDX-License-Identifier: MIT
//
// POSIX threads by this host's library: each kind of lock, and threads that come and go.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 6

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static __thread int mine;
static int counter, spun, first, slot, full, many;
static long taken;

static void begin(void) {
    first++;
}

static void* work(void* argument) {
    mine = (int)(long)argument;
    pthread_once(&once, begin);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
        pthread_spin_lock(&spin);
        spun++;
        pthread_spin_unlock(&spin);
        if (i % 10 == 0) sched_yield();
    }
    pthread_rwlock_rdlock(&readers);
    pthread_rwlock_unlock(&readers);
    pthread_rwlock_wrlock(&readers);
    many += mine;
    pthread_rwlock_unlock(&readers);
    sem_post(&semaphore);
    return (void*)(long)(mine * mine);
}

static void* produce(void* unused) {
    for (int i = 1; i <= 50; i++) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&emptied, &mutex);
        slot = i;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void* consume(void* unused) {
    for (int i = 1; i <= 50; i++) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&filled, &mutex);
        taken += slot;
        full = 0;
        pthread_cond_broadcast(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void* dies_with(void* lock) {
    pthread_mutex_lock(lock);
    return NULL;
}

static void* nothing(void* argument) {
    return argument;
}

int main(void) {
    pthread_t thread[THREADS];
    void* result;
    long sum = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 0);
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, work, (void*)i);
    for (int i = 0; i < THREADS; i++) sem_wait(&semaphore);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &result);
        sum += (long)result;
    }
    printf("%d %d %d %d %ld %d\n", counter, spun, first, many, sum, mine);

    pthread_create(&thread[0], NULL, produce, NULL);
    pthread_create(&thread[1], NULL, consume, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    printf("%ld\n", taken);

    pthread_mutexattr_t attributes;
    pthread_mutex_t robust;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_create(&thread[0], NULL, dies_with, &robust);
    pthread_join(thread[0], NULL);
    printf("robust %d\n", pthread_mutex_lock(&robust) == EOWNERDEAD);

    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 5000000;
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&mutex);
    printf("timed %d", pthread_cond_timedwait(&filled, &mutex, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    printf(" %d\n", sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);

    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    printf("affinity %d", sched_setaffinity(0, sizeof set, &set));
    printf(" %d", sched_getaffinity(0, sizeof set, &set));
    printf(" %d %d\n", CPU_COUNT(&set), sched_getcpu());

    for (int i = 0; i < 14; i++) {  // with stacks of 8 MB: more than are kept
        pthread_create(&thread[i % THREADS], NULL, nothing, (void*)(long)i);
        pthread_join(thread[i % THREADS], &result);
        sum += (long)result;
    }
    char name[16];
    pthread_setname_np(pthread_self(), "a name");
    pthread_getname_np(pthread_self(), name, sizeof name);
    printf("%ld %s\n", sum, name);
    fflush(stdout);
    return 0;
}
