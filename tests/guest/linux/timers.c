// SPDX-License-Identifier: MIT
//
// Timers of a process, with their signals; clocks of threads and processes; what was used.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static volatile int number, code, value, taker;

static void handler(int signal, siginfo_t* information, void* unused) {
    number++;
    code = information->si_code;
    value = information->si_value.sival_int;
    taker = gettid();
    (void)signal, (void)unused;
}

static timer_t create(clockid_t clock, int notify, int signal, pid_t thread) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = signal, .sigev_value = {55}};
    event._sigev_un._tid = thread;
    if (timer_create(clock, &event, &timer) != 0) printf("not created: %d\n", errno);
    return timer;
}
static void start(timer_t timer, int flags, long value_us, long period_us) {
    struct itimerspec set = {{0, period_us * 1000}, {0, value_us * 1000}};
    if (flags & TIMER_ABSTIME) {
        clock_gettime(CLOCK_REALTIME, &set.it_value);
        set.it_value.tv_nsec += value_us * 1000;
        set.it_value.tv_sec += set.it_value.tv_nsec / 1000000000;
        set.it_value.tv_nsec %= 1000000000;
    }
    number = 0;
    if (timer_settime(timer, flags, &set, NULL) != 0) printf("not set: %d\n", errno);
}
static void wait_for(int signals) {
    while (number < signals) usleep(500);
}

static void* waits(void* tid) {
    *(volatile pid_t*)tid = gettid();
    for (;;) pause();
}

static void timers(void) {
    volatile pid_t thread = 0;
    struct itimerspec left;
    pthread_t waiter;
    timer_t timer = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 0);
    start(timer, 0, 2000, 10000);
    wait_for(3);
    printf("period: %d %d\n", code, value);
    timer_gettime(timer, &left);
    printf("left %d\n", left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 10000000);
    printf("each %ld\n", left.it_interval.tv_nsec);
    start(timer, 0, 0, 0);
    timer_gettime(timer, &left);
    printf("stopped %ld %ld\n", left.it_value.tv_nsec, left.it_interval.tv_nsec);
    SHOW(timer_delete(timer));
    SHOW(timer_delete(timer));

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    timer = create(CLOCK_REALTIME, SIGEV_SIGNAL, SIGRTMIN, 0);
    start(timer, TIMER_ABSTIME, 1000, 10000);
    usleep(70000);
    siginfo_t found;
    printf("waited %d", sigwaitinfo(&set, &found) == SIGRTMIN);
    printf(" %d %d\n", found.si_code, found.si_value.sival_int);
    printf("overrun %d\n", timer_getoverrun(timer) >= 4 && timer_getoverrun(timer) < 1000);
    start(timer, 0, 0, 0);
    timer_delete(timer);
    sigprocmask(SIG_UNBLOCK, &set, NULL);

    pthread_create(&waiter, NULL, waits, (void*)&thread);
    while (thread == 0) usleep(100);
    timer = create(CLOCK_MONOTONIC, SIGEV_THREAD_ID, SIGRTMIN + 1, thread);
    start(timer, 0, 1000, 0);
    wait_for(1);
    printf("to the thread %d\n", taker == thread);
    timer_delete(timer);
    timer = create(CLOCK_MONOTONIC, SIGEV_NONE, 0, 0);
    start(timer, 0, 1000, 0);
    usleep(2000);
    timer_gettime(timer, &left);
    printf("none %d %ld\n", number, left.it_value.tv_nsec);
    timer_delete(timer);

    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) != 0) printf("not created\n");
    start(timer, 0, 1000, 0);
    wait_for(1);
    printf("alarm %d\n", code);
    timer_delete(timer);
    timer = create(CLOCK_PROCESS_CPUTIME_ID, SIGEV_SIGNAL, SIGRTMIN, 0);
    start(timer, 0, 5000, 0);
    while (number == 0) {
    }
    printf("of the processor %d\n", code);
    timer_delete(timer);
    for (int i = 0; i < 3; i++) create(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 0);
}

static void spin(clockid_t clock, long us) {
    struct timespec from, now;
    clock_gettime(clock, &from);
    do {
        clock_gettime(clock, &now);
    } while ((now.tv_sec - from.tv_sec) * 1000000 + (now.tv_nsec - from.tv_nsec) / 1000 < us);
}

static void intervals(void) {
    struct itimerval set = {{0, 20000}, {0, 20000}}, before;
    const int which[] = {ITIMER_VIRTUAL, ITIMER_PROF}, signals[] = {SIGVTALRM, SIGPROF};
    for (int i = 0; i < 2; i++) {
        struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], &action, NULL);
        number = 0;
        setitimer(which[i], &set, NULL);
        usleep(50000);
        printf("asleep %d\n", number < 2);
        while (number < 2) {
        }
        const struct itimerval none = {{0, 0}, {0, 0}};
        setitimer(which[i], &none, &before);
        printf("interval %d %d\n", code, (int)before.it_interval.tv_usec);
    }
}

static void* works(void* clock) {
    struct timespec time;
    spin(CLOCK_THREAD_CPUTIME_ID, 4000);
    pthread_getcpuclockid(pthread_self(), clock);
    clock_gettime(*(clockid_t*)clock, &time);
    printf("thread %d\n", time.tv_sec == 0 && time.tv_nsec >= 4000000);
    return NULL;
}

static void used(void) {
    struct timespec before, after;
    struct rusage usage;
    clockid_t clock;
    pthread_t thread;
    int word;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    pthread_create(&thread, NULL, works, &clock);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const long us =
        (after.tv_sec - before.tv_sec) * 1000000 + (after.tv_nsec - before.tv_nsec) / 1000;
    printf("with the thread's %d\n", us >= 4000);
    getrusage(RUSAGE_THREAD, &usage);
    printf("self %d\n", usage.ru_utime.tv_sec == 0);
    const pid_t child = fork();
    if (child == 0) {
        clock_getcpuclockid(0, &clock);
        spin(clock, 30000);
        _exit(0);
    }
    wait4(child, &word, 0, &usage);
    printf("child %d\n", usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 25000);
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("children %d\n", usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 25000);
    struct tms all;
    printf("times %d", times(&all) > 0);
    printf(" %d\n", all.tms_cutime + all.tms_cstime < 100);
    struct sysinfo system;
    printf("sysinfo %d", sysinfo(&system));
    printf(" %d %d\n", system.totalram > system.freeram, system.procs > 0);
}

static void wrong(void) {
    struct timespec late = {0, 1000000000}, past = {1, 0};
    struct itimerspec set = {{0, 0}, {0, 1000000000}};
    timer_t timer;
    struct sigevent event = {.sigev_notify = 9, .sigev_signo = 1};
    SHOW(syscall(SYS_timer_create, 99, NULL, &timer));
    SHOW(syscall(SYS_timer_create, 1, BAD, &timer));
    SHOW(syscall(SYS_timer_create, 1, &event, &timer));
    event.sigev_notify = SIGEV_SIGNAL, event.sigev_signo = 65;
    SHOW(syscall(SYS_timer_create, 1, &event, &timer));
    event.sigev_notify = SIGEV_THREAD_ID, event.sigev_signo = 10;
    event._sigev_un._tid = 9999999;
    SHOW(syscall(SYS_timer_create, 1, &event, &timer));
    SHOW(syscall(SYS_timer_create, 1, NULL, BAD));
    SHOW(syscall(SYS_timer_create, 1, NULL, &timer));
    SHOW(syscall(SYS_timer_settime, 99, 0, &set, NULL));
    SHOW(syscall(SYS_timer_settime, timer, 0, NULL, NULL));
    SHOW(syscall(SYS_timer_settime, timer, 0, BAD, NULL));
    SHOW(syscall(SYS_timer_settime, timer, 0, &set, NULL));
    set.it_value.tv_nsec = 0;
    SHOW(syscall(SYS_timer_settime, timer, 0, &set, BAD));
    SHOW(syscall(SYS_timer_gettime, 99, &set));
    SHOW(syscall(SYS_timer_gettime, timer, BAD));
    SHOW(syscall(SYS_timer_gettime64, 99, &set));
    SHOW(syscall(SYS_timer_settime64, timer, 0, BAD, NULL));
    SHOW(syscall(SYS_timer_getoverrun, 99));
    SHOW(syscall(SYS_timer_delete, 99));
    SHOW(syscall(SYS_setitimer, 1, BAD, NULL));
    SHOW(syscall(SYS_getitimer, 9, &set));
    SHOW(syscall(SYS_getitimer, 2, BAD));
    SHOW(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    SHOW(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &late, NULL));
    SHOW(syscall(SYS_clock_nanosleep_time64, CLOCK_MONOTONIC, 0, BAD, NULL));
    SHOW(syscall(SYS_clock_gettime, ~9999999 << 3 | 2, &set));
    SHOW(syscall(SYS_clock_getres, CLOCK_THREAD_CPUTIME_ID, NULL));
    SHOW(syscall(SYS_clock_getres, CLOCK_MONOTONIC, BAD));
    SHOW(syscall(SYS_times, BAD) < 0);
    SHOW(syscall(SYS_getrusage, 9, &set));
    SHOW(syscall(SYS_getrusage, 0, BAD));
    SHOW(syscall(SYS_sysinfo, BAD));
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    setvbuf(stdout, NULL, _IONBF, 0);
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < 2; i++) sigaction(SIGRTMIN + i, &action, NULL);
    timers();
    wrong();
    intervals();
    used();
    return 0;
}
