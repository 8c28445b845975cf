// SPDX-License-Identifier: MIT
//
// fork in programs with several threads: the child has one, with a copy of the files, whatever the
// others do meanwhile; and a clone that fails leaves nothing behind.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counted;

static void* opens(void* unused) {
    int ends[2];
    while (!stop) {
        pipe(ends);
        close(ends[0]);
        close(ends[1]);
    }
    return unused;
}
static void* counts(void* unused) {
    while (!stop) {
        pthread_mutex_lock(&mutex);
        counted++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void* waits_forever(void* unused) {
    for (;;) pause();
    return unused;
}

// A parent that waits in vfork() can be killed.
static void kill_parent(void) {
    int word, ends[2];
    char text = 0;
    pipe(ends);
    const pid_t parent = fork();
    if (parent == 0) {
        close(ends[0]);
        if (vfork() == 0) {
            write(ends[1], "b", 1);
            usleep(30000);
            write(ends[1], "x", 1);
            _exit(0);
        }
        pause();
    }
    close(ends[1]);
    read(ends[0], &text, 1);
    kill(parent, SIGKILL);
    waitpid(parent, &word, 0);
    printf("killed %d", WTERMSIG(word) == SIGKILL);
    printf(", its child writes %d", read(ends[0], &text, 1));
    printf(" %c, ends %d\n", text, read(ends[0], &text, 1));
    close(ends[0]);
}

int main(void) {
    pthread_t threads[3];
    setvbuf(stdout, NULL, _IONBF, 0);
    int wrong[4] = {6, 0, 0xfffff, 0xffffffff}, word, ended = 0;  // no segment that ring 3 may have
    errno = 0;
    printf("clone %ld", syscall(SYS_clone, SIGCHLD | 0x80000, 0, 0, wrong, 0));
    printf(" %d", errno);
    printf(", bad %ld", syscall(SYS_clone, SIGCHLD | 0x80000, 0, 0, 0xc8000000, 0));
    printf(" %d, children %d %d\n", errno, wait(&word), errno == ECHILD);
    kill_parent();
    pthread_create(&threads[0], NULL, opens, NULL);
    pthread_create(&threads[1], NULL, opens, NULL);
    pthread_create(&threads[2], NULL, counts, NULL);
    for (int i = 0; i < 3; i++) {
        const pid_t child = fork();
        if (child == 0) {
            pthread_t own;
            if (pthread_create(&own, NULL, waits_forever, NULL) != 0) _exit(1);
            int ends[2];
            char text[2] = {0};
            pipe(ends);
            write(ends[1], "ok", 2);
            read(ends[0], text, 2);
            _exit(text[0] == 'o' && text[1] == 'k' ? 7 : 2);
        }
        waitpid(child, &word, 0);
        ended += WIFEXITED(word) && WEXITSTATUS(word) == 7;
    }
    stop = 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("ended %d, counted %d\n", ended, counted > 0);
    return 0;
}
