// SPDX-License-Identifier: MIT
//
// All memory is used up: the calls that ask for more fail, and then the process ends.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define GIGABYTE (1 << 30)
#define STACK 65536
#define MOST 1000

static sem_t go_on;

static void* wait_for_all(void* unused) {
    sem_wait(&go_on);
    return unused;
}

static void start_threads(int most) {
    static pthread_t thread[MOST];
    int number = 0, error = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    while (number < most && error == 0) {
        error = pthread_create(&thread[number], &small, wait_for_all, NULL);
        if (error == 0) number++;
    }
    for (int i = 0; i < number; i++) sem_post(&go_on);
    for (int i = 0; i < number; i++) pthread_join(thread[i], NULL);
    printf("threads: more than 30: %d, then EAGAIN: %d\n", number > 30, error == EAGAIN);
}

int main(void) {
    struct sysinfo memory;
    setvbuf(stdout, NULL, _IONBF, 0);
    sysinfo(&memory);
    printf("kernel and program in 1.5 MB: %d\n", memory.totalram - memory.freeram < 1536 * 1024);
    printf("malloc %d", malloc(GIGABYTE) == NULL);
    printf(" %d\n", errno == ENOMEM);
    printf("sbrk %d", sbrk(GIGABYTE) == (void*)-1);
    printf(" %d\n", errno == ENOMEM);
    char* reserved = mmap(NULL, GIGABYTE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    printf("reserved %d\n", reserved != MAP_FAILED);
    sem_init(&go_on, 0, 0);
    start_threads(MOST);
    start_threads(31);
    for (int i = 0;; i++) reserved[i * 4096] = 1;
}
