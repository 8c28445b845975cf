// SPDX-License-Identifier: MIT
//
// Programs in place of others, files in memory, and what /proc and /sys say. The program executes
// itself, with another first argument.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

static char own[300], name[] = "/tmp/symsim-XXXXXX";

// What a program finds that has been executed.
static int child(int count, char** arguments, char** variables) {
    struct sigaction action;
    stack_t stack;
    float control = 0.5f;
    printf("child of %d, \"%s\", variable %s, number %d\n", count, arguments[2],
           variables[0] != NULL ? variables[0] : "none", getpid() == atoi(arguments[3]));
    sigaction(SIGUSR1, NULL, &action);
    printf("handler %d ", action.sa_handler == SIG_DFL);
    sigaction(SIGUSR2, NULL, &action);
    printf("ignored %d ", action.sa_handler == SIG_IGN);
    sigaltstack(NULL, &stack);
    printf("stack %d float %g\n", stack.ss_flags == SS_DISABLE, control * 3);
    printf("open %d closed %d\n", fcntl(20, F_GETFD), fcntl(21, F_GETFD));
    fflush(stdout);
    return 7;
}

static void handler(int signal) {
    (void)signal;
}

static void* wait_forever(void* unused) {
    (void)unused;
    for (;;) pause();
}

static void* execute(void* path) {
    char number[20], *const variables[] = {"ONE=1", "TWO=2", NULL};
    sprintf(number, "%d", getpid());
    execve(path, (char* const[]){"me", "child", "a b", number, NULL}, variables);
    printf("execve: %d\n", errno);
    exit(1);
}

static int status_of(pid_t id) {
    int status = 0;
    return waitpid(id, &status, 0) == id ? status : -1;
}

static void programs(void) {
    static char stack[8192];
    fflush(stdout);
    pid_t id = fork();
    if (id == 0) {
        pthread_t threads[3];
        const stack_t other = {stack, 0, sizeof stack};
        volatile float keep = 1.0f;
        signal(SIGUSR1, handler);
        signal(SIGUSR2, SIG_IGN);
        sigaltstack(&other, NULL);
        keep /= 3;
        dup2(1, 20);
        dup3(1, 21, O_CLOEXEC);
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_forever, NULL);
        pthread_create(&threads[2], NULL, execute, own);
        for (;;) pause();
    }
    printf("ended %x\n", status_of(id));
    SHOW(execve("/no/such/file", NULL, NULL));
    SHOW(execve("/tmp", NULL, NULL));
    SHOW(execve("given.txt", NULL, NULL));
    SHOW(execve(BAD, NULL, NULL));
    SHOW(syscall(SYS_execve, own, BAD, NULL));
    char* arguments[] = {BAD, NULL};
    SHOW(syscall(SYS_execve, own, arguments, NULL));
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0700);
    SHOW(write(file, "no program", 10));
    SHOW(fchmod(file, 0700));
    SHOW(close(file));
    SHOW(execve(name, (char* const[]){name, NULL}, NULL));
    // vfork: the child uses its parent's memory while the parent waits.
    static volatile int shared = 1;
    id = vfork();
    if (id == 0) {
        shared = 2;
        execve("/no/such/file", NULL, NULL);
        shared += errno;
        _exit(3);
    }
    printf("vfork %d status %x\n", shared, status_of(id));
    char number[20], *const variables[] = {NULL};
    sprintf(number, "%d", 0);
    SHOW(posix_spawn(&id, "/no/such/file", NULL, NULL, variables, variables));
    char* const spawned[] = {"me", "child", "s", number, NULL};
    const int error = posix_spawn(&id, own, NULL, NULL, spawned, variables);
    printf("spawned %x %d\n", status_of(id), error);
}

static sigjmp_buf before;
static volatile int code;

static void on_bus(int signal, siginfo_t* information, void* context) {
    code = information->si_code;
    (void)context;
    siglongjmp(before, signal);
}

static int touch(volatile char* at) {
    const int signal = sigsetjmp(before, 1);
    return signal != 0 ? signal : *at;
}

static void mappings(void) {
    const struct sigaction action = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO};
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600), end[2];
    struct stat stat;
    static char pages[12000];
    for (int i = 0; i < sizeof pages; i++) pages[i] = "page"[i % 4];
    write(file, pages, sizeof pages);
    char* one = mmap(NULL, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    char* all = mmap(NULL, 20000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char* part = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 8192);
    SHOW(!memcmp(one, "pagepage", 8) && !memcmp(part, "pagepage", 8) && part[3807] == 'e');
    SHOW(part[3808] | part[4095]);
    one[0] = 'P', all[1] = 'A';
    SHOW(one[0] == 'P' && one[1] == 'a' && all[0] == 'p');
    char text[8];
    SHOW(pread(file, text, 4, 0) == 4 && text[0] == 'p' && text[1] == 'A');
    SHOW(pwrite(file, "W", 1, 4100) == 1 && all[4100] == 'W' && one[4100] == 'W');
    one[4100] = 'w';
    SHOW(pwrite(file, "V", 1, 4101) == 1 && all[4101] == 'V' && one[4101] != 'V');
    fflush(stdout);
    pid_t id = fork();
    if (id == 0) {
        all[2] = 'C', one[2] = 'C';
        _exit(0);
    }
    SHOW(status_of(id));
    SHOW(all[2] == 'C' && one[2] == 'g');
    sigaction(SIGBUS, &action, NULL);
    SHOW(touch(all + 12287));
    SHOW(touch(all + 16384) == SIGBUS && code == BUS_ADRERR);
    SHOW(read(file, all + 16384, 1));
    SHOW(ftruncate(file, 17000));
    SHOW(touch(all + 16384));
    SHOW(madvise(one, 4096, MADV_DONTNEED) == 0 && one[0] == 'p' && one[1] == 'A');
    one = mremap(one, 20000, 24576, MREMAP_MAYMOVE);
    SHOW(one != MAP_FAILED && one[4100] == 'w' && touch(one + 20480) == SIGBUS);
    SHOW(mprotect(part, 4096, PROT_READ | PROT_WRITE) == 0 && (part[0] = 'x') == 'x');
    SHOW(unlink(name) == 0 && close(file) == 0 && all[3] == 'e');
    SHOW(munmap(all, 20000));
    file = open("given.txt", O_RDONLY);
    SHOW(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED);
    SHOW(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
    pipe(end);
    SHOW(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, end[0], 0) == MAP_FAILED);
    file = open(name, O_WRONLY | O_CREAT, 0600);
    SHOW(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED);
    file = open("/dev/zero", O_RDWR);
    SHOW(*(char*)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0));
    SHOW(fstat(file, &stat) == 0 && S_ISCHR(stat.st_mode));
    SHOW(unlink(name));
}

static int has_line(const char* path, const char* with) {
    char line[1000];
    int found = 0;
    FILE* file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file)) found |= strstr(line, with) != NULL;
    if (file != NULL) fclose(file);
    return found;
}

static void system_files(void) {
    char text[100] = "";
    char processors[20];
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    sprintf(processors, "cpu%ld", online - 1);
    SHOW(has_line("/proc/stat", processors));
    sprintf(processors, "processor\t: %ld", online - 1);
    SHOW(has_line("/proc/cpuinfo", processors));
    SHOW(has_line("/proc/meminfo", "MemTotal:") && has_line("/proc/meminfo", "MemFree:"));
    SHOW(has_line("/proc/self/status", "Name:\texecute") && has_line("/proc/self/status", "Pid:"));
    SHOW(has_line("/proc/self/maps", "r-xp") && has_line("/proc/self/maps", "/execute"));
    int file = open("/proc/self/maps", O_RDONLY);
    SHOW(read(file, text, 1) == 1 && lseek(file, 0, SEEK_SET) == 0);
    SHOW(open("/proc/self/exe", O_RDONLY) >= 0);
    file = open("/sys/devices/system/cpu/online", O_RDONLY);
    const int bytes = read(file, text, sizeof text - 1);
    SHOW(bytes > 1 && text[0] == '0' && text[bytes - 1] == '\n');
    SHOW(readlink("/proc/self/exe", BAD, 10));
}

int main(int count, char** arguments, char** variables) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count > 1 && strcmp(arguments[1], "child") == 0) return child(count, arguments, variables);
    SHOW(readlink("/proc/self/exe", own, sizeof own) > 0);
    SHOW(strcmp(strrchr(own, '/'), "/execute"));
    close(mkstemp(name));
    programs();
    mappings();
    system_files();
    fflush(stdout);
    return execve(own, (char* const[]){"me", "child", "last", "0", NULL}, NULL);
}
