// SPDX-License-Identifier: MIT
//
// Affinity masks: threads run on the processors of their masks only, also when others change the
// mask; and the other calls of the scheduler.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 4

static atomic_int phase, outside, there;
static cpu_set_t allowed[THREADS];
static sem_t asleep;
static volatile pid_t sleeper;

static cpu_set_t set_of(int first, int last) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = first; i <= last; i++) CPU_SET(i, &set);
    return set;
}

static void* run(void* argument) {
    const long number = (long)argument;
    pthread_setaffinity_np(pthread_self(), sizeof allowed[0], &allowed[number]);
    for (int i = 0; i < 40; i++) {
        if (!CPU_ISSET(sched_getcpu(), &allowed[number])) outside++;
        i % 4 == 0 ? (void)usleep(100) : (void)sched_yield();
    }
    return NULL;
}

static void* spin(void* unused) {
    while (phase == 0) {
    }
    while (sched_getcpu() != phase - 1) {
    }
    there++;
    return unused;
}

static void* sleep_until(void* unused) {
    sleeper = gettid();
    sem_wait(&asleep);
    printf("the sleeper wakes on %d\n", sched_getcpu());
    return unused;
}

static void show(const char* what, long result) {
    printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0);
}

int main(void) {
    pthread_t thread[THREADS];
    const cpu_set_t both = set_of(0, 1);
    cpu_set_t set;
    for (long i = 0; i < THREADS; i++) {
        allowed[i] = i < 2 ? set_of(i, i) : both;
        pthread_create(&thread[i], NULL, run, (void*)i);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    printf("outside %d\n", outside);

    sched_setaffinity(0, sizeof both, &both);
    sched_getaffinity(0, sizeof set, &set);
    printf("inherits %d", CPU_COUNT(&set));
    for (int to = 1; to >= 0; to--) {  // a thread that runs is moved by another one
        phase = 0;
        pthread_create(&thread[to], NULL, spin, NULL);
        set = set_of(1 - to, 1 - to);
        pthread_setaffinity_np(thread[to], sizeof set, &set);
        pthread_getaffinity_np(thread[to], sizeof set, &set);
        printf(" %d", CPU_COUNT(&set));
        set = set_of(to, to);
        pthread_setaffinity_np(thread[to], sizeof set, &set);
        phase = 1 + to;
        pthread_join(thread[to], NULL);
    }
    printf(", moved %d\n", there);

    sem_init(&asleep, 0, 0);
    pthread_create(&thread[0], NULL, sleep_until, NULL);
    while (sleeper == 0) usleep(500);
    usleep(2000);
    set = set_of(1, 1);
    show("by its number", sched_setaffinity(sleeper, sizeof set, &set));
    sem_post(&asleep);
    pthread_join(thread[0], NULL);

    struct sched_param parameter = {0};
    struct timespec slice = {9, 9};
    show("scheduler", sched_getscheduler(0));
    show("scheduler of nobody", sched_getscheduler(9999999));
    show("scheduler of -1", sched_getscheduler(-1));
    show("set it", sched_setscheduler(0, SCHED_OTHER, &parameter));
    show("parameter", sched_getparam(0, &parameter));
    printf("level %d\n", parameter.sched_priority);
    show("no parameter", syscall(SYS_sched_getparam, 0, 0));
    parameter.sched_priority = 1;
    show("a wrong level", sched_setparam(0, &parameter));
    show("a wrong level", sched_setscheduler(0, SCHED_OTHER, &parameter));
    show("a wrong scheduler", sched_setscheduler(0, 77, &parameter));
    parameter.sched_priority = 0;
    show("a wrong level", sched_setscheduler(0, SCHED_FIFO, &parameter));
    for (int i = -1; i <= 6; i++)
        printf("%d: %d to %d\n", i, sched_get_priority_min(i), sched_get_priority_max(i));
    show("slice", sched_rr_get_interval(0, &slice));
    show("nice 0", setpriority(PRIO_PROCESS, 0, 0));
    show("wrong which", setpriority(9, 0, 0));
    show("of nobody", getpriority(PRIO_PROCESS, 9999999));
    fflush(stdout);
    return 0;
}
