// SPDX-License-Identifier: MIT
//
// Signals: handlers with and without siginfo, faults, masks, waits, alarms, and cancellation.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile int got, code, usr;
static __thread int tls = 5;
static void h(int s) {
    got = s;
    tls++;
}
static void hi(int s, siginfo_t* i, void* u) {
    got = s;
    code = i->si_code;
    usr = (i->si_pid == getpid());
    (void)u;
}
static sigjmp_buf env;
static void seg(int s, siginfo_t* i, void* u) {
    printf("segv %d code %d at %p\n", s, i->si_code, i->si_addr);
    siglongjmp(env, 1);
    (void)u;
}
static char alt[16384];
static void onalt(int s) {
    char c;
    printf("on alt %d\n", &c >= alt && &c < alt + sizeof alt);
    (void)s;
}
static void* waiter(void* a) {
    pause();
    printf("waiter woke %d\n", got);
    return a;
}
int main(void) {
    double x = 1.25;
    signal(SIGUSR1, h);
    raise(SIGUSR1);
    printf("%d %d %g\n", got, tls, x * 2);
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_sigaction = hi;
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &a, 0);
    kill(getpid(), SIGUSR2);
    printf("%d %d %d\n", got, code, usr);
    raise(SIGUSR2);
    printf("%d %d %d\n", got, code, usr);
    a.sa_sigaction = seg;
    sigaction(SIGSEGV, &a, 0);
    if (!sigsetjmp(env, 1)) *(volatile int*)16 = 1;
    if (!sigsetjmp(env, 1))
        *(volatile char*)"const" = 1;
    else
        puts("back");
    stack_t ss = {.ss_sp = alt, .ss_size = sizeof alt};
    sigaltstack(&ss, 0);
    memset(&a, 0, sizeof a);
    a.sa_handler = onalt;
    a.sa_flags = SA_ONSTACK;
    sigaction(SIGHUP, &a, 0);
    raise(SIGHUP);
    sigset_t m, o, p;
    sigemptyset(&m);
    sigaddset(&m, SIGUSR1);
    sigprocmask(SIG_BLOCK, &m, &o);
    got = 0;
    raise(SIGUSR1);
    sigpending(&p);
    printf("blocked %d pending %d\n", got, sigismember(&p, SIGUSR1));
    sigsuspend(&o);
    printf("suspended %d\n", got);
    raise(SIGUSR1);
    siginfo_t si;
    printf("waited %d\n", sigwaitinfo(&m, &si));
    struct timespec t = {0, 1000000};
    printf("timed %d %d\n", sigtimedwait(&m, &si, &t), errno == EAGAIN);
    sigprocmask(SIG_SETMASK, &o, 0);
    signal(SIGALRM, h);
    got = 0;
    struct itimerval it = {{0, 5000}, {0, 5000}};
    setitimer(ITIMER_REAL, &it, 0);
    for (int i = 0; i < 3; i++) {
        got = 0;
        while (!got) pause();
    }
    memset(&it, 0, sizeof it);
    setitimer(ITIMER_REAL, &it, 0);
    printf("alarms %d\n", got);
    pthread_t th;
    pthread_create(&th, 0, waiter, 0);
    usleep(20000);
    pthread_kill(th, SIGUSR1);
    pthread_join(th, 0);
    pthread_create(&th, 0, waiter, 0);
    usleep(20000);
    pthread_cancel(th);
    void* r;
    pthread_join(th, &r);
    printf("cancelled %d\n", r == PTHREAD_CANCELED);
    struct timespec n = {0, 50000000}, left;
    ualarm(10000, 0);
    int e = nanosleep(&n, &left);
    printf("nanosleep %d %d %d\n", e, errno == EINTR, left.tv_nsec > 20000000);
    printf("x %g\n", x);
    fflush(stdout);
    abort();
}
