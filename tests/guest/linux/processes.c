// SPDX-License-Identifier: MIT
//
// Processes: fork with copy on write, ends and their status, pipes, dup. A child ends last.

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static int value = 1;
static char big[30000];
static volatile int chld;
static void h(int s) {
    chld++;
    (void)s;
}
int main(void) {
    int p[2], st;
    setvbuf(stdout, NULL, _IONBF, 0);
    double x = 2.5;
    memset(big, 7, sizeof big);
    int* sh = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGCHLD, h);
    pid_t c = fork();
    if (c == 0) {
        value = 2;
        big[5] = 9;
        *sh = 42;
        printf("child %d %d %g %d\n", value, big[29999], x * 2, getppid() > 0);
        exit(5);
    }
    pid_t w = waitpid(c, &st, 0);
    printf("parent %d %d %d %d exit %d same %d chld %d\n", value, big[5], *sh, WIFEXITED(st),
           WEXITSTATUS(st), w == c, chld);
    c = fork();
    if (c == 0) raise(SIGKILL);
    waitpid(c, &st, 0);
    printf("signalled %d %d\n", WIFSIGNALED(st), WTERMSIG(st));
    pipe(p);
    c = fork();
    if (c == 0) {
        close(p[0]);
        for (int i = 0; i < 20; i++) write(p[1], big, 4000);
        _exit(0);
    }
    close(p[1]);
    long sum = 0;
    int n;
    static char buf[3001];
    while ((n = read(p[0], buf, sizeof buf)) > 0) sum += n;
    printf("read %ld last %d\n", sum, n);
    waitpid(c, &st, 0);
    close(p[0]);
    errno = 0;
    w = wait(&st);
    printf("none %d %d\n", w, errno == ECHILD);
    signal(SIGPIPE, SIG_IGN);
    pipe(p);
    close(p[0]);
    n = write(p[1], "x", 1);
    printf("epipe %d %d\n", n, errno == EPIPE);
    close(p[1]);
    pid_t many[5];
    for (int i = 0; i < 5; i++)
        if (!(many[i] = fork())) {
            usleep(1000 * i);
            _exit(i);
        }
    int t = 0;
    for (int i = 0; i < 5; i++) {
        wait(&st);
        t += WEXITSTATUS(st);
    }
    printf("total %d\n", t);
    c = fork();
    if (!c) {
        pause();
        _exit(1);
    }
    printf("running %d\n", waitpid(c, &st, WNOHANG));
    kill(c, SIGTERM);
    waitpid(c, &st, 0);
    printf("term %d\n", WTERMSIG(st));
    c = vfork();
    if (!c) _exit(3);
    waitpid(c, &st, 0);
    printf("vfork %d\n", WEXITSTATUS(st));
    int d = dup2(1, 9);
    write(d, "dup\n", 4);
    printf("dup %d close %d %d\n", d, close(9), close(9));
    if (!fork()) {
        usleep(20000);
        printf("outlived %d\n", getppid() > 0);
        _exit(9);
    }
    return 7;
}
