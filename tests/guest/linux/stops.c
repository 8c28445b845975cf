// SPDX-License-Identifier: MIT
//
// Processes that are stopped and continued, what their parent learns of it, groups and sessions,
// and signals with values.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static volatile int code, status, value, order[8], number;

static void on_child(int signal, siginfo_t* information, void* unused) {
    code = information->si_code;
    status = information->si_status;
    (void)signal, (void)unused;
}
static void on_value(int signal, siginfo_t* information, void* unused) {
    order[number++ & 7] = signal - SIGRTMIN;
    code = information->si_code;
    value = information->si_value.sival_int;
    (void)unused;
}
static void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigaction(signal, &action, NULL);
}
static void on_continue(int signal) {
    (void)signal;
    write(1, "continues\n", 10);
}

// The signal may come after the news for waitpid().
static void show_child(const char* what) {
    while (code == 0) usleep(100);
    printf("%s, child %d %d\n", what, code, status);
    code = 0;
}

static void* sleeps(void* unused) {
    const struct timespec time = {0, 30000000};
    for (int i = 0; i < 2; i++)
        if (nanosleep(&time, NULL) != 0) puts("a sleep was interrupted");
    return unused;
}

// Stopped by `signal` and continued, while one thread sleeps and another waits for it.
static void stop_and_continue(int signal) {
    int word = 0;
    const pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleeps, NULL);
        pthread_join(thread, NULL);
        _exit(7);
    }
    // In a group without a parent outside, Linux ignores all stop signals but SIGSTOP.
    setpgid(child, child);
    kill(child, signal);
    printf("stopped %d", waitpid(child, &word, WUNTRACED) == child);
    printf(" %d %d", WIFSTOPPED(word), WSTOPSIG(word) == signal);
    show_child("");
    printf("nothing new %d\n", waitpid(child, &word, WUNTRACED | WCONTINUED | WNOHANG));
    kill(child, SIGCONT);
    printf("continued %d", waitpid(child, &word, WCONTINUED) == child);
    printf(" %d", WIFCONTINUED(word));
    show_child("");
    waitpid(child, &word, 0);
    printf("ended %d %d", WIFEXITED(word), WEXITSTATUS(word));
    show_child("");
}

static void kill_stopped(void) {
    int word = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGCONT, on_continue);
        raise(SIGSTOP);
        raise(SIGSTOP);
        _exit(1);
    }
    waitpid(child, &word, WUNTRACED);
    show_child("stopped");
    kill(child, SIGTERM);  // kept until it continues
    usleep(2000);
    printf("still stopped %d\n", waitpid(child, &word, WNOHANG));
    kill(child, SIGKILL);
    waitpid(child, &word, 0);
    printf("killed %d", WTERMSIG(word));
    show_child("");
}

static void handler_of_continue(void) {
    int word = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGCONT, on_continue);
        raise(SIGSTOP);
        _exit(5);
    }
    waitpid(child, &word, WUNTRACED);
    kill(child, SIGCONT);
    waitpid(child, &word, 0);
    printf("ended %d\n", WEXITSTATUS(word));
}

static void wait_by_id(void) {
    siginfo_t found;
    const pid_t child = fork();
    if (child == 0) _exit(9);
    printf("wait %d", waitid(P_PID, child, &found, WEXITED | WNOWAIT));
    printf(" %d %d %d %d\n", found.si_pid == child, found.si_signo, found.si_code, found.si_status);
    printf("again %d", waitid(P_ALL, 0, &found, WEXITED));
    printf(" %d %d\n", found.si_pid == child, found.si_status);
    SHOW(waitid(P_ALL, 0, &found, WEXITED));
    SHOW(waitid(P_ALL, 0, &found, 0));
    SHOW(waitid(9, 0, &found, WEXITED));
    SHOW(waitid(P_PID, 0, &found, WEXITED));
}

static void groups(void) {
    int word;
    const pid_t first = fork();
    if (first == 0) {
        printf("leader %d", setpgid(0, 0));
        printf(" %d\n", getpgrp() == getpid());
        for (int i = 0; i < 2; i++)
            if (fork() == 0) {
                for (;;) pause();
            }
        signal(SIGUSR1, SIG_IGN);
        usleep(5000);
        printf("kill the group %d\n", kill(0, SIGUSR1));
        int signals = 0;
        for (int i = 0; i < 2; i++) {
            printf("of the group %d", waitpid(-getpgrp(), &word, 0) > 0);
            signals += WTERMSIG(word);
            printf("\n");
        }
        printf("signals %d\n", signals);
        SHOW(waitpid(0, &word, 0));
        SHOW(setsid());
        fflush(stdout);
        _exit(0);
    }
    waitpid(first, &word, 0);
    const pid_t second = fork();
    if (second == 0) {
        printf("session %d", setsid() == getpid());
        printf(" %d %d", getsid(0) == getpid(), getpgid(0) == getpid());
        SHOW(setpgid(0, 0));
        fflush(stdout);
        _exit(0);
    }
    waitpid(second, &word, 0);
    SHOW(setpgid(9999999, 0));
    SHOW(setpgid(0, -1));
    SHOW(setpgid(0, 9999999));
    SHOW(getpgid(9999999));
    SHOW(kill(-9999999, 0));
}

static void values(void) {
    sigset_t set, old;
    sigemptyset(&set);
    for (int i = 0; i < 3; i++) sigaddset(&set, SIGRTMIN + i);
    sigprocmask(SIG_BLOCK, &set, &old);
    for (int i = 0; i < 3; i++) handle(SIGRTMIN + i, on_value, 0);
    for (int i = 2; i >= 0; i--)
        for (int k = 0; k < 2; k++)
            sigqueue(getpid(), SIGRTMIN + i, (union sigval){.sival_int = 10 * i + k});
    siginfo_t found;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 2);
    printf("queued %d", sigwaitinfo(&one, &found) - SIGRTMIN);
    printf(" %d %d %d\n", found.si_code, found.si_value.sival_int, found.si_pid == getpid());
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("order");
    for (int i = 0; i < number; i++) printf(" %d", order[i]);
    printf(", %d %d\n", code, value);
    pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = 77});
    printf("to a thread %d %d\n", code, value);
    siginfo_t claimed = {.si_code = SI_USER};
    SHOW(syscall(SYS_rt_sigqueueinfo, getppid(), SIGUSR1, &claimed));
    SHOW(syscall(SYS_rt_sigqueueinfo, getpid(), 65, &claimed));
    SHOW(syscall(SYS_rt_tgsigqueueinfo, getpid(), 0, SIGUSR1, &claimed));
    SHOW(syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, (void*)0xc8000000));
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    handle(SIGCHLD, on_child, SA_RESTART);
    const int stops[] = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
    for (int i = 0; i < 4; i++) stop_and_continue(stops[i]);
    kill_stopped();
    handler_of_continue();
    wait_by_id();
    groups();
    values();
    handle(SIGCHLD, on_child, SA_NOCLDSTOP | SA_RESTART);
    code = 0;
    int word;
    const pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    waitpid(child, &word, WUNTRACED);
    printf("not told %d\n", code);
    kill(child, SIGCONT);
    waitpid(child, &word, 0);
    handle(SIGCHLD, on_child, SA_NOCLDWAIT | SA_RESTART);
    if (fork() == 0) _exit(3);
    SHOW(wait(&word));
    return 0;
}
