// SPDX-License-Identifier: MIT
//
// Wrong arguments: what each system call answers to bad pointers, numbers, lengths and flags.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

#define LOW ((void*)0x00001000)  // mapped by nobody
#define TRY(name, ...)                                                              \
    do {                                                                            \
        errno = 0;                                                                  \
        const long result = syscall(SYS_##name, __VA_ARGS__);                       \
        printf("%s: %ld %d\n", #name " " #__VA_ARGS__, result < 0 ? -1 : 0, errno); \
    } while (0)

static char buffer[4096];
static unsigned word[8] __attribute__((aligned(8)));

// Names of files, and what is open: nothing of this changes a file.
static void paths(void) {
    struct timespec wrong[2] = {{0, 2000000000}, {0, 0}};
    char* const arguments[] = {"x", BAD, NULL};
    TRY(open, BAD, 0);
    TRY(open, "", 0);
    TRY(open, "/", 1);
    TRY(openat, 77, "x", 0);
    const int folder = open("/", 0);
    TRY(read, folder, buffer, 1);
    TRY(pread64, folder, buffer, 1, 0, 0);
    TRY(close, folder);
    TRY(openat, 1, "x", 0);
    TRY(creat, BAD, 0);
    TRY(creat, "/no/such/file", 0);
    TRY(chdir, BAD);
    TRY(chdir, "/no/such");
    TRY(chdir, "/proc/self/exe");
    TRY(fchdir, 77);
    TRY(fchdir, 1);
    TRY(chmod, BAD, 0);
    TRY(chmod, "/no/such", 0);
    TRY(fchmod, 77, 0);
    TRY(fchmodat, -100, BAD, 0);
    TRY(execve, BAD, 0, 0);
    TRY(execve, "/no/such", 0, 0);
    TRY(execve, "/", 0, 0);
    TRY(execve, "/proc/self/exe", BAD, 0);
    TRY(execve, "/proc/self/exe", arguments, 0);
    TRY(execve, "/proc/self/exe", 0, BAD);
    TRY(faccessat, -100, BAD, 0);
    TRY(faccessat, -100, "/", 8);
    TRY(faccessat2, -100, "/", 0, 0x80000);
    TRY(fstatat64, -100, "/", buffer, 0x80000);
    TRY(statx, -100, "/", 0x80000, 0x7ff, buffer);
    TRY(utimensat, -100, "/no/such", NULL, 0x80000);
    TRY(statfs64, BAD, 84, buffer);
    TRY(statfs64, "/", 84, BAD);
    TRY(statfs64, "/", 83, buffer);
    TRY(fstatfs64, 77, 84, buffer);
    TRY(fsync, 77);
    TRY(fsync, 1);
    TRY(truncate, BAD, 0);
    TRY(truncate, "/no/such", 0);
    TRY(truncate, "/", 0);
    TRY(truncate64, "/no/such", 0, 0);
    TRY(ftruncate, 77, 0);
    TRY(ftruncate, 1, 0);
    TRY(ftruncate64, 1, 0, 0);
    TRY(getcwd, BAD, 4096);
    TRY(getcwd, buffer, 0);
    TRY(getcwd, buffer, 1);
    TRY(getdents64, 77, buffer, 4096);
    TRY(getdents64, 1, buffer, 4096);
    TRY(_llseek, 77, 0, 0, buffer, 0);
    TRY(_llseek, 1, 0, 0, buffer, 0);
    TRY(stat64, BAD, buffer);
    TRY(stat64, "/", BAD);
    TRY(stat64, "/no/such", buffer);
    TRY(lstat64, BAD, buffer);
    TRY(fstatat64, -100, BAD, buffer, 0);
    TRY(fstatat64, -100, "/", BAD, 0);
    TRY(fstatat64, 77, "x", buffer, 0);
    TRY(mkdir, BAD, 0);
    TRY(mkdir, "/", 0);
    TRY(mkdir, "/no/such", 0);
    TRY(mkdirat, 77, "x", 0);
    TRY(rmdir, BAD);
    TRY(rmdir, "/no/such");
    TRY(pread64, 77, buffer, 1, 0, 0);
    TRY(pread64, 1, buffer, 1, 0, 0);
    TRY(pwrite64, 1, buffer, 1, 0, -1);
    TRY(readlinkat, -100, BAD, buffer, 10);
    TRY(readlinkat, -100, "/proc/self/exe", BAD, 10);
    TRY(readlinkat, -100, "/proc/self/exe", buffer, -1);
    TRY(rename, BAD, "/tmp/x");
    TRY(rename, "/no/such", "/tmp/x");
    TRY(renameat, 77, "x", -100, "y");
    TRY(renameat2, -100, "/no/such", -100, "/tmp/x", 8);
    TRY(symlink, BAD, "/tmp/x");
    TRY(symlink, "x", BAD);
    TRY(symlinkat, "x", 77, "x");
    TRY(unlink, BAD);
    TRY(unlink, "/");
    TRY(unlink, "/no/such");
    TRY(unlinkat, -100, "/no/such", 1);
    TRY(unlinkat, 77, "x", 0);
    TRY(utimensat, -100, BAD, NULL, 0);
    TRY(utimensat, -100, "/no/such", wrong, 0);
    TRY(utimensat, -100, "/no/such", NULL, 0);
    TRY(readv, 0, BAD, 1);
    TRY(sigaltstack, 0, BAD);
    TRY(getpriority, 9, 0);
    TRY(setpriority, 9, 0, 0);
    TRY(sched_getscheduler, 9999999);
    TRY(sched_setscheduler, 0, 99, word);
    TRY(sched_setscheduler, 0, 0, BAD);
    TRY(sched_setparam, 0, BAD);
    TRY(sched_rr_get_interval, 0, BAD);
    TRY(sched_get_priority_max, 99);
    TRY(clock_getres_time64, 99, buffer);
    TRY(futex_time64, BAD, 0, 0, 0, 0, 0);
    TRY(rt_sigpending, BAD, 8);
    TRY(setitimer, 0, NULL, BAD);
    TRY(gettimeofday, NULL, BAD);
    TRY(prctl, 15, BAD, 0, 0, 0);
    TRY(waitid, 0, 0, buffer, 0x80, 0);
}

int main(void) {
    struct timespec late = {0, 1000000000}, before = {-1, 0}, soon = {0, 1000};
    char* closed = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(closed + 4096, 4096, PROT_NONE);
    char* constant = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    TRY(write, 1, BAD, 1);
    TRY(write, 1, LOW, 1);
    TRY(write, 1, closed + 4096, 1);
    TRY(write, 77, buffer, 1);
    TRY(write, 1, buffer, 0);
    TRY(writev, 1, BAD, 1);
    TRY(writev, 1, buffer, -1);
    TRY(read, 77, buffer, 1);
    TRY(readv, 77, buffer, 1);
    TRY(close, 77);
    TRY(dup, 77);
    TRY(dup2, 77, 5);
    TRY(dup3, 1, 1, 0);
    TRY(pipe, BAD);
    TRY(pipe2, word, 1);
    TRY(fcntl64, 77, 1, 0);
    TRY(fcntl64, 1, 999, 0);
    TRY(ioctl, 77, 0x5401, buffer);
    TRY(lseek, 77, 0, 0);
    TRY(fstat64, 77, buffer);
    TRY(fstat64, 1, BAD);
    TRY(openat, -100, BAD, 0);
    TRY(openat, -100, "/no/such/file", 0);
    TRY(readlink, "/no/such/file", buffer, 10);
    TRY(readlink, "/no/such/file", buffer, 0);
    TRY(access, "/no/such/file", 0);
    TRY(access, BAD, 0);
    TRY(openat, -100, "/proc/self/exe", 1);
    TRY(truncate, "/proc/self/exe", 0);
    TRY(statx, 1, BAD, 0x1000, 0x7ff, buffer);
    TRY(statx, 1, "", 0x1000, 0x7ff, BAD);
    TRY(statx, 77, "", 0x1000, 0x7ff, buffer);

    TRY(munmap, 1, 4096);
    TRY(munmap, closed, 0);
    TRY(mprotect, 1, 4096, 0);
    TRY(mprotect, 0x50000000, 4096, 1);
    TRY(mmap2, 0, 0, 3, 0x22, -1, 0);
    TRY(mmap2, 0, 4096, 3, 0x20, -1, 0);
    TRY(mmap2, 0, 4096, 3, 2, 77, 0);
    TRY(mmap2, 0x50000001, 4096, 3, 0x32, -1, 0);
    TRY(mmap2, 0, 0xf0000000, 3, 0x22, -1, 0);
    TRY(mmap2, closed, 4096, 3, 0x100022, -1, 0);
    TRY(mmap, BAD);
    TRY(mremap, 1, 4096, 8192, 1);
    TRY(mremap, closed, 4096, 0, 1);
    TRY(mremap, 0x50000000, 4096, 8192, 1);
    TRY(set_mempolicy, 99, NULL, 0);
    TRY(set_mempolicy, 1, BAD, 32);
    TRY(set_mempolicy, 0, NULL, 0);
    TRY(madvise, 1, 4096, 4);
    TRY(madvise, 0x50000000, 4096, 4);

    TRY(futex, BAD, 0, 0, 0, 0, 0);
    TRY(futex, (char*)word + 1, 0, 0, 0, 0, 0);
    TRY(futex, word, 0, 1, 0, 0, 0);
    TRY(futex, word, 9, 0, 0, 0, 0);
    TRY(futex, word, 10, 1, 0, 0, 0);
    TRY(futex, word, 0, 0, &late, 0, 0);
    TRY(futex, word, 0, 0, &before, 0, 0);
    TRY(futex, word, 0, 0, BAD, 0, 0);
    TRY(futex, word, 0x80, 0, &soon, 0, 0);
    TRY(futex, word, 4, 1, 1, word + 1, 9);
    TRY(futex, word, 3, -1, 1, word + 1, 0);
    TRY(futex, word, 5, 1, 1, BAD, 0);
    TRY(futex, word, 99, 0, 0, 0, 0);
    TRY(futex, word, 4, -1, 1, word + 1, 0);
    TRY(futex, word, 4, 1, -1, word + 1, 0);
    TRY(futex, word, 4, 1, 1, BAD, 0);
    TRY(futex, BAD, 4, 1, 1, word, 0);
    TRY(futex, word, 4, 1, 1, (char*)word + 2, 0);
    TRY(futex, BAD, 0x84, 1, 1, word, 0);
    TRY(futex, word, 0x84, 1, 1, BAD, 9);
    TRY(futex, BAD, 0x83, 1, 1, BAD, 0);
    TRY(futex, word, 3, 1, 1, (char*)word + 1, 0);
    TRY(futex, word, 5, 1, 1, (char*)word + 1, 0);
    TRY(futex, word, 5, 1, 1, word + 1, 0x60000000);
    TRY(futex, word, 5, 1, 1, word + 1, 0x07000000);
    TRY(futex, BAD, 0x85, 1, 1, word + 1, 0);
    TRY(futex, BAD, 0x81, 1, 0, 0, 0);
    TRY(futex, word, 0x101, 1, 0, 0, 0);
    TRY(futex, word, 0x103, 0, 0, word + 1, 0);
    TRY(futex, word, 0x100, 0, &soon, 0, 0);
    TRY(futex, word, 2, 0, 0, 0, 0);
    TRY(set_robust_list, word, 13);
    TRY(set_thread_area, BAD);
    word[0] = 3;
    TRY(set_thread_area, word);
    TRY(sched_setaffinity, 0, 4, BAD);
    TRY(sched_setaffinity, 0, 0, word);
    TRY(sched_setaffinity, 9999999, 4, word);
    TRY(sched_getaffinity, 0, 3, word);
    TRY(sched_getaffinity, 9999999, 128, buffer);
    TRY(getcpu, BAD, 0, 0);
    TRY(clone, 0x10000, 0, 0, 0, 0);
    TRY(clone, 0x800, 0, 0, 0, 0);
    TRY(tgkill, 0, 1, 0);
    TRY(tgkill, getpid(), 9999999, 0);
    TRY(tgkill, getpid(), getpid(), 65);
    TRY(tgkill, getpid(), getpid(), 0);
    TRY(tkill, -1, 0);
    TRY(kill, 9999999, 0);
    TRY(kill, getpid(), 99);

    TRY(rt_sigaction, 9, buffer, 0, 8);
    TRY(rt_sigaction, 10, 0, 0, 4);
    TRY(rt_sigaction, 65, 0, 0, 8);
    TRY(rt_sigaction, 10, BAD, 0, 8);
    TRY(rt_sigaction, 10, 0, BAD, 8);
    TRY(rt_sigprocmask, 77, word, 0, 8);
    TRY(rt_sigprocmask, 0, BAD, 0, 8);
    TRY(rt_sigprocmask, 0, word, 0, 4);
    TRY(rt_sigpending, BAD, 8);
    TRY(rt_sigpending, word, 9);
    TRY(rt_sigsuspend, word, 4);
    TRY(rt_sigtimedwait, word, 0, &late, 8);
    TRY(rt_sigtimedwait, BAD, 0, &soon, 8);
    TRY(rt_sigtimedwait_time64, word, 0, BAD, 8);
    TRY(rt_sigtimedwait_time64, word, 0, &soon, 4);
    TRY(sigaltstack, BAD, 0);
    word[0] = (unsigned)buffer, word[1] = 0, word[2] = 2047;
    TRY(sigaltstack, word, 0);
    word[1] = 99;
    TRY(sigaltstack, word, 0);
    TRY(setitimer, 9, 0, 0);
    TRY(setitimer, 0, BAD, 0);
    TRY(getitimer, 0, BAD);

    TRY(clock_gettime, 99, word);
    TRY(clock_gettime, 1, BAD);
    TRY(clock_gettime64, 1, BAD);
    TRY(clock_getres, 99, word);
    TRY(clock_nanosleep, 99, 0, &soon, 0);
    TRY(clock_nanosleep, 1, 0, &late, 0);
    TRY(nanosleep, BAD, 0);
    TRY(nanosleep, &before, 0);
    TRY(gettimeofday, BAD, 0);
    TRY(time, BAD);
    TRY(wait4, -1, 0, 0, 0);
    TRY(wait4, -1, 0, 0x100, 0);
    TRY(uname, BAD);
    TRY(ugetrlimit, 99, word);
    TRY(ugetrlimit, 3, BAD);
    TRY(prlimit64, 0, 99, 0, word);
    TRY(getrandom, BAD, 8, 0);
    TRY(getrandom, buffer, 8, 99);
    TRY(getrandom, constant, 8, 0);
    TRY(prctl, 16, BAD, 0, 0, 0);
    TRY(prctl, 9999, 0, 0, 0, 0);
    paths();
    fflush(stdout);
    return 0;
}
