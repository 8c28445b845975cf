// SPDX-License-Identifier: MIT
//
// poll, select and epoll over pipes and eventfds: what they answer at once, who wakes them, and
// when they end.

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static int ends[2], event;
static char page[4096];

static long long now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000ll + time.tv_nsec / 1000;
}

static void handler(int signal) {
    printf("handler %d\n", signal);
}

// Does something to a file some time after another thread has begun to wait.
enum act { WRITE, READ, EVENT, CLOSE, SIGNAL, NOTHING };
static pthread_t waiter;
static void* acts(void* argument) {
    uint64_t one = 1;
    usleep(3000);
    switch ((intptr_t)argument) {
        case WRITE:
            write(ends[1], "x", 1);
            break;
        case READ:
            read(ends[0], page, sizeof page);
            break;
        case EVENT:
            write(event, &one, sizeof one);
            break;
        case CLOSE:
            close(ends[1]);
            break;
        case SIGNAL:
            pthread_kill(waiter, SIGUSR1);
            break;
    }
    return NULL;
}
static pthread_t later(enum act act) {
    pthread_t thread;
    waiter = pthread_self();
    pthread_create(&thread, NULL, acts, (void*)(intptr_t)act);
    return thread;
}

static void fill(int number) {
    for (int i = 0; i < 16; i++) write(number, page, sizeof page);
}

static void polls(void) {
    struct pollfd files[3];
    const enum act what[] = {WRITE, READ, EVENT, CLOSE, SIGNAL, NOTHING};
    for (int i = 0; i < 6; i++) {
        pipe(ends);
        event = eventfd(0, 0);
        files[0] = (struct pollfd){ends[0], POLLIN, 99};
        files[1] = (struct pollfd){ends[1], what[i] == READ ? POLLOUT : 0, 99};
        files[2] = (struct pollfd){event, POLLIN | POLLPRI, 99};
        if (what[i] == READ) {
            fill(ends[1]);
            files[0].events = 0;
        }
        if (what[i] == CLOSE) files[1].fd = -1;  // a file that is watched is not closed
        printf("poll %d: at once %d", i, poll(files, 3, 0));
        const pthread_t thread = later(what[i]);
        const long long begin = now_us();
        const int found = poll(files, 3, what[i] == NOTHING ? 5 : 10000);
        const long long took = now_us() - begin;
        printf(", then %d %d:", found, found < 0 ? errno : 0);
        for (int k = 0; k < 3; k++) printf(" %x", files[k].revents);
        printf(", in time %d\n", took >= 2000 && took < 5000000);
        pthread_join(thread, NULL);
        close(ends[0]), close(ends[1]), close(event);
    }
    pipe(ends);
    files[0] = (struct pollfd){-1, POLLIN, 99};
    files[1] = (struct pollfd){50, POLLIN, 99};
    files[2] = (struct pollfd){ends[1], POLLOUT | POLLWRNORM, 99};
    printf("poll %d:", poll(files, 3, -1));
    for (int k = 0; k < 3; k++) printf(" %x", files[k].revents);
    close(ends[0]);
    printf(", without a reader %d:", poll(files + 2, 1, -1));
    printf(" %x\n", files[2].revents);
    close(ends[1]);
}

static void masked(void) {
    struct timespec time = {10, 0};
    sigset_t none, set, now;
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    SHOW(ppoll(NULL, 0, &time, &none));
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("blocked again %d\n", sigismember(&now, SIGUSR1));
    raise(SIGUSR1);
    time = (struct timespec){0, 2000000};
    SHOW(ppoll(NULL, 0, &time, NULL));
    SHOW(pselect(0, NULL, NULL, NULL, &time, &none));
    raise(SIGUSR1);
    const int set_of_events = epoll_create(1);
    struct epoll_event found;
    SHOW(epoll_pwait(set_of_events, &found, 1, 1, &set));
    SHOW(epoll_pwait(set_of_events, &found, 1, -1, &none));
    close(set_of_events);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void selects(void) {
    fd_set readable, writable, other;
    struct timeval time = {10, 0};
    pipe(ends);
    event = eventfd(1, 0);
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    FD_ZERO(&other);
    FD_SET(ends[0], &readable), FD_SET(event, &readable), FD_SET(event, &other);
    FD_SET(ends[1], &writable), FD_SET(event, &writable);
    printf("select %d:", select(event + 1, &readable, &writable, &other, &time));
    printf(" %d %d", FD_ISSET(ends[0], &readable), FD_ISSET(event, &readable));
    printf(" %d %d", FD_ISSET(ends[1], &writable), FD_ISSET(event, &writable));
    printf(" %d, left %d\n", FD_ISSET(event, &other), time.tv_sec == 9 || time.tv_sec == 10);
    FD_ZERO(&readable);
    FD_SET(ends[0], &readable);
    const pthread_t thread = later(WRITE);
    printf("select %d:", select(ends[0] + 1, &readable, NULL, NULL, NULL));
    printf(" %d\n", FD_ISSET(ends[0], &readable));
    pthread_join(thread, NULL);
    read(ends[0], page, 1);
    time = (struct timeval){0, 2000};
    printf("select %d:", select(ends[0] + 1, &readable, NULL, NULL, &time));
    printf(" %d, left %d\n", FD_ISSET(ends[0], &readable), (int)time.tv_usec);
    FD_SET(50, &readable);
    SHOW(select(51, &readable, NULL, NULL, NULL));
    SHOW(select(-1, NULL, NULL, NULL, NULL));
    SHOW(syscall(SYS__newselect, 1, BAD, NULL, NULL, NULL));
    SHOW(syscall(SYS__newselect, 1, NULL, NULL, NULL, BAD));
    SHOW(syscall(SYS_select, BAD));
    SHOW(syscall(SYS_pselect6, 0, NULL, NULL, NULL, NULL, BAD));
    close(ends[0]), close(ends[1]), close(event);
}

static void events(void) {
    uint64_t value = 7;
    event = eventfd(3, EFD_NONBLOCK);
    SHOW(read(event, page, 4));
    SHOW(write(event, &value, 8));
    SHOW(read(event, &value, 8));
    printf("count %llu\n", (unsigned long long)value);
    SHOW(read(event, &value, 8));
    value = UINT64_MAX;
    SHOW(write(event, &value, 8));
    value--;
    SHOW(write(event, &value, 8));
    struct pollfd file = {event, POLLIN | POLLOUT, 0};
    SHOW(poll(&file, 1, 0));
    printf("full %x\n", file.revents);
    SHOW(write(event, &value, 8));
    SHOW(write(event, BAD, 8));
    SHOW(read(event, BAD, 8));
    close(event);
    event = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    SHOW(read(event, &value, 8));
    printf("semaphore %llu\n", (unsigned long long)value);
    SHOW(read(event, &value, 8));
    SHOW(read(event, &value, 8));
    close(event);
    event = eventfd(0, EFD_CLOEXEC);
    const pthread_t thread = later(EVENT);
    SHOW(read(event, &value, 8));
    pthread_join(thread, NULL);
    close(event);
    SHOW(eventfd(0, 4));
}

static void control(int epoll, int operation, int number, unsigned events) {
    struct epoll_event wanted = {.events = events, .data.u64 = 1000 + number};
    errno = 0;
    const int result = epoll_ctl(epoll, operation, number, &wanted);
    printf("epoll_ctl %d of %d, %x: %d %d\n", operation, number, events, result, errno);
}
static void wait_for(int epoll, int ms) {
    struct epoll_event found[4];
    const int number = epoll_wait(epoll, found, 4, ms);
    printf("epoll_wait %d:", number);
    for (int i = 0; i < number; i++) printf(" %x of %d", found[i].events, (int)found[i].data.u64);
    printf("\n");
}

static void epolls(void) {
    struct epoll_event found;
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    pipe(ends);
    event = eventfd(0, 0);
    control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    control(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    control(epoll, EPOLL_CTL_ADD, event, EPOLLIN | EPOLLET);
    control(epoll, EPOLL_CTL_MOD, ends[1], EPOLLIN);
    control(epoll, EPOLL_CTL_DEL, ends[1], 0);
    control(epoll, EPOLL_CTL_ADD, 50, EPOLLIN);
    control(epoll, EPOLL_CTL_ADD, epoll, EPOLLIN);
    control(epoll, 9, ends[0], EPOLLIN);
    control(event, EPOLL_CTL_ADD, ends[0], EPOLLIN);
    wait_for(epoll, 0);
    pthread_t thread = later(WRITE);
    wait_for(epoll, 10000);
    pthread_join(thread, NULL);
    wait_for(epoll, 10000);  // as long as there is something
    struct pollfd file = {epoll, POLLIN, 0};
    SHOW(poll(&file, 1, -1));
    read(ends[0], page, 1);
    SHOW(poll(&file, 1, 0));
    thread = later(WRITE);
    SHOW(poll(&file, 1, 10000));
    pthread_join(thread, NULL);
    read(ends[0], page, 1);
    thread = later(EVENT);
    wait_for(epoll, 10000);
    pthread_join(thread, NULL);
    wait_for(epoll, 2);  // once
    thread = later(EVENT);
    wait_for(epoll, 10000);
    pthread_join(thread, NULL);
    control(epoll, EPOLL_CTL_MOD, event, EPOLLIN | EPOLLONESHOT);
    wait_for(epoll, -1);
    wait_for(epoll, 0);
    control(epoll, EPOLL_CTL_MOD, event, EPOLLIN | EPOLLOUT);
    wait_for(epoll, -1);
    control(epoll, EPOLL_CTL_DEL, event, 0);
    control(epoll, EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLET);
    wait_for(epoll, -1);
    write(ends[1], "yz", 2);
    wait_for(epoll, -1);  // not the end to write
    thread = later(CLOSE);
    read(ends[0], page, 2);
    wait_for(epoll, 10000);
    pthread_join(thread, NULL);
    close(ends[0]);
    wait_for(epoll, 0);
    thread = later(SIGNAL);
    SHOW(epoll_wait(epoll, &found, 1, 10000));
    pthread_join(thread, NULL);
    SHOW(epoll_wait(epoll, &found, 0, 0));
    SHOW(epoll_wait(event, &found, 1, 0));
    SHOW(epoll_wait(50, &found, 1, 0));
    SHOW(read(epoll, page, 8));
    SHOW(write(epoll, page, 8));
    SHOW(epoll_create(0));
    SHOW(epoll_create1(1));
    SHOW(syscall(SYS_epoll_ctl, epoll, EPOLL_CTL_ADD, event, BAD));
    control(epoll, EPOLL_CTL_ADD, event, EPOLLIN);
    SHOW(syscall(SYS_epoll_wait, epoll, BAD, 1, 0));
    SHOW(syscall(SYS_epoll_pwait, epoll, &found, 1, 0, &found, 4));
    close(epoll), close(event);
}

// A child waits for what its parent writes into a pipe, and tells it so.
static void child(void) {
    int word, back[2];
    pipe(ends), pipe(back);
    if (fork() == 0) {
        const int epoll = epoll_create1(0);
        struct epoll_event wanted = {.events = EPOLLIN}, found;
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted);
        for (int i = 0; i < 20; i++) {
            epoll_wait(epoll, &found, 1, -1);
            read(ends[0], page, 1);
            write(back[1], page, 1);
        }
        _exit(6);
    }
    char text[21] = {0};
    for (int i = 0; i < 20; i++) {
        struct pollfd file = {back[0], POLLIN, 0};
        page[0] = (char)('a' + i);
        write(ends[1], page, 1);
        poll(&file, 1, -1);
        read(back[0], text + i, 1);
    }
    wait(&word);
    printf("child %s %d\n", text, WEXITSTATUS(word));
}

int main(void) {
    struct timespec late = {0, 1000000000};
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGUSR1, handler);
    polls();
    masked();
    selects();
    events();
    epolls();
    child();
    SHOW(syscall(SYS_poll, BAD, 1, 0));
    SHOW(syscall(SYS_poll, page, 1u << 30, 0));
    SHOW(syscall(SYS_ppoll, page, 0, BAD, NULL, 8));
    SHOW(syscall(SYS_ppoll, page, 0, &late, NULL, 8));
    SHOW(syscall(SYS_ppoll, page, 0, NULL, page, 9));
    SHOW(syscall(SYS_ppoll_time64, page, 0, BAD, NULL, 8));
    SHOW(syscall(SYS_pselect6_time64, 0, NULL, NULL, NULL, BAD, NULL));
    return 0;
}
