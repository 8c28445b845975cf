// SPDX-License-Identifier: MIT

#include "unistd.h"

#include "errno.h"
#include "internal.h"
#include "sections.h"
#include "symsim.h"
#include "sys/resource.h"
#include "sys/time.h"
#include "sys/times.h"
#include "time.h"

// In programs with POSIX threads (guest/threads/posix): lets another thread run.
void posix_pause(void) __attribute__((weak));

static IDLE_FUNCTION void wait_us(uint32_t duration) {
    uint32_t start = clock_us();
    while (clock_us() - start < duration)
        if (posix_pause != NULL) posix_pause();
}

int usleep(useconds_t microseconds) {
    wait_us(microseconds);
    return 0;
}

unsigned sleep(unsigned seconds) {
    while (seconds-- != 0) wait_us(1000000);
    return 0;
}

int gettimeofday(struct timeval* now, void* zone) {
    (void)zone;
    uint32_t us = clock_us();
    now->tv_sec = (time_t)(us / 1000000);
    now->tv_usec = (suseconds_t)(us % 1000000);
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    (void)clock;
    uint32_t us = clock_us();
    now->tv_sec = (time_t)(us / 1000000);
    now->tv_nsec = (long)(us % 1000000) * 1000;
    return 0;
}

int clock_getres(clockid_t clock, struct timespec* step) {
    (void)clock;
    if (step != NULL) *step = (struct timespec){.tv_nsec = 1000};
    return 0;
}

int getrusage(int who, struct rusage* used) {
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN) {
        errno = EINVAL;
        return -1;
    }
    *used = (struct rusage){0};
    if (who == RUSAGE_SELF) gettimeofday(&used->ru_utime, NULL);
    return 0;
}

clock_t times(struct tms* used) {
    clock_t ticks = (clock_t)(clock_us() / (1000000 / CLK_TCK));
    if (used != NULL) *used = (struct tms){.tms_utime = ticks};
    return ticks;
}

ssize_t write(int file, const void* from, size_t bytes) {
    if (file != STDOUT_FILENO && file != STDERR_FILENO) {
        errno = EBADF;
        return -1;
    }
    console_write(from, bytes);
    return (ssize_t)bytes;
}

ssize_t read(int file, void* to, size_t bytes) {
    if (file != STDIN_FILENO) {
        errno = EBADF;
        return -1;
    }
    return (ssize_t)console_read(to, bytes);
}

long sysconf(int name) {
    switch (name) {
        case _SC_CLK_TCK:
            return CLK_TCK;
        case _SC_PAGESIZE:
            return 4096;
        case _SC_NPROCESSORS_CONF:
        case _SC_NPROCESSORS_ONLN:
            return (long)processors();
        default:
            errno = EINVAL;
            return -1;
    }
}

pid_t getpid(void) {
    return 1;
}

_Noreturn void _exit(int status) {
    exit(status);
}
