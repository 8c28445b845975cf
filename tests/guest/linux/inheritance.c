// SPDX-License-Identifier: MIT
//
// Futexes with priority inheritance are missing: programs get ENOSYS, and mutexes ENOTSUP.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    static const int operations[] = {FUTEX_LOCK_PI,         FUTEX_UNLOCK_PI,      FUTEX_TRYLOCK_PI,
                                     FUTEX_WAIT_REQUEUE_PI, FUTEX_CMP_REQUEUE_PI, FUTEX_LOCK_PI2};
    static int word, other;
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const long result = syscall(SYS_futex, &word, operations[i], 1, 0, &other, 0);
        printf("%d: %d\n", operations[i], result == -1 && errno == ENOSYS);
    }
    pthread_mutexattr_init(&attributes);
    printf("protocol %d\n", pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
    printf("mutex %d\n", pthread_mutex_init(&mutex, &attributes) == ENOTSUP);
    fflush(stdout);
    return 0;
}
