// SPDX-License-Identifier: MIT

// unistd.h, time.h, sys/time.h, sys/times.h and sys/resource.h without threads: sleeping takes
// simulated time, and not much more than was asked for; what has no meaning here says so in errno.

#include <errno.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

// As programs before ANSI C declare them: the declarations must agree with the headers.
extern int times();
extern long time();
extern clock_t clock();

static unsigned now_us(void) {
    struct timeval now;
    CHECK_EQUAL(gettimeofday(&now, NULL), 0);
    CHECK(now.tv_usec >= 0 && now.tv_usec < 1000000);
    return (unsigned)now.tv_sec * 1000000 + (unsigned)now.tv_usec;
}

int main(void) {
    unsigned before = (unsigned)clock(), now = now_us(), after = (unsigned)clock();
    CHECK(before <= now && now <= after);
    CHECK_EQUAL(CLOCKS_PER_SEC, 1000000);
    struct timespec step;
    CHECK_EQUAL(clock_getres(CLOCK_REALTIME, &step), 0);
    CHECK_EQUAL(step.tv_sec, 0);
    CHECK_EQUAL(step.tv_nsec, 1000);

    unsigned start = now_us();
    CHECK_EQUAL(usleep(1500), 0);
    unsigned slept = now_us() - start;
    CHECK(slept >= 1500 && slept < 1600);
    CHECK_EQUAL(sleep(0), 0);

    start = now_us();
    CHECK_EQUAL(sleep(1), 0);
    slept = now_us() - start;
    CHECK(slept >= 1000000 && slept < 1000100);
    struct timeval time;
    gettimeofday(&time, NULL);
    CHECK_EQUAL(time.tv_sec, 1);
    struct timespec precise;
    CHECK_EQUAL(clock_gettime(CLOCK_MONOTONIC, &precise), 0);
    CHECK_EQUAL(precise.tv_sec, 1);
    CHECK(precise.tv_nsec >= time.tv_usec * 1000 && precise.tv_nsec < 100000000);
    struct tms used;
    CHECK_EQUAL(sysconf(_SC_CLK_TCK), 100);
    CHECK_EQUAL(times(&used), 100);
    CHECK_EQUAL(used.tms_utime, 100);
    CHECK_EQUAL(used.tms_stime, 0);
    CHECK_EQUAL(CLK_TCK, 100);
    CHECK_EQUAL(HZ, 100);
    CHECK_EQUAL(MIN(3, 4), 3);
    CHECK_EQUAL(MAX(3, 4), 4);

    struct rusage resources;
    now = now_us();
    CHECK_EQUAL(getrusage(RUSAGE_SELF, &resources), 0);
    CHECK_EQUAL(resources.ru_utime.tv_sec, 1);
    CHECK(resources.ru_utime.tv_usec >= (long)now - 1000000);
    CHECK(resources.ru_utime.tv_usec <= (long)now_us() - 1000000);
    CHECK_EQUAL(resources.ru_stime.tv_sec + resources.ru_stime.tv_usec, 0);
    CHECK_EQUAL(getrusage(RUSAGE_CHILDREN, &resources), 0);
    CHECK_EQUAL(resources.ru_utime.tv_sec + resources.ru_utime.tv_usec, 0);
    CHECK_EQUAL(getrusage(7, &resources), -1);
    CHECK_EQUAL(errno, EINVAL);

    CHECK_EQUAL(sysconf(_SC_NPROCESSORS_ONLN), processors());
    CHECK_EQUAL(sysconf(_SC_PAGESIZE), 4096);
    CHECK_EQUAL(sysconf(-1), -1);
    CHECK_EQUAL(errno, EINVAL);

    const char text[] = "written\n";
    CHECK_EQUAL(write(STDOUT_FILENO, text, strlen(text)), strlen(text));
    CHECK_EQUAL(write(STDERR_FILENO, text, 2), 2);
    CHECK_EQUAL(write(3, text, 1), -1);
    CHECK_EQUAL(errno, EBADF);
    CHECK_EQUAL(getpid(), 1);
    _exit(3);
}
