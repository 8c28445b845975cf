// SPDX-License-Identifier: MIT

// Conditions of pthread.h: a buffer of four places between writers and readers, and a broadcast.
// main returns while a thread still waits, which ends the run. Argument: items of each writer,
// default 30.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "test.h"

#define WRITERS 3
#define READERS 4
#define PLACES 4

static unsigned items;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t* emptied;

static struct {
    unsigned values[PLACES];
    unsigned first, count;
    unsigned left;  // items that no reader has taken
} buffer;

static void* write_items(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned i = 0; i < items; i++) {
        pthread_mutex_lock(&mutex);
        while (buffer.count == PLACES) pthread_cond_wait(emptied, &mutex);
        buffer.values[(buffer.first + buffer.count++) % PLACES] = self * items + i;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

// Returns the sum of what it has read.
static void* read_items(void* unused) {
    (void)unused;
    unsigned sum = 0;
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (buffer.count == 0 && buffer.left != 0) pthread_cond_wait(&filled, &mutex);
        if (buffer.left == 0) break;
        sum += buffer.values[buffer.first];
        buffer.first = (buffer.first + 1) % PLACES;
        buffer.count--;
        if (--buffer.left == 0) pthread_cond_broadcast(&filled);
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(emptied);  // without holding the mutex
    }
    pthread_mutex_unlock(&mutex);
    return (void*)sum;
}

static void test_buffer(void) {
    pthread_t writers[WRITERS], readers[READERS];
    unsigned sum = 0, end = WRITERS * items;
    buffer.left = end;
    for (unsigned i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, read_items, NULL);
    for (unsigned i = 0; i < WRITERS; i++) pthread_create(&writers[i], NULL, write_items, (void*)i);
    for (unsigned i = 0; i < WRITERS; i++) CHECK_EQUAL(pthread_join(writers[i], NULL), 0);
    for (unsigned i = 0; i < READERS; i++) {
        void* read;
        CHECK_EQUAL(pthread_join(readers[i], &read), 0);
        sum += (unsigned)read;
    }
    CHECK_EQUAL(sum, end * (end - 1) / 2);
    CHECK_EQUAL(buffer.count, 0);
}

// ---- one mutex for a condition ----

static void test_other_mutex(void) {
    static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&other);
    CHECK_EQUAL(pthread_cond_wait(&filled, &other), EINVAL);
    pthread_mutex_unlock(&other);
    CHECK_EQUAL(pthread_cond_destroy(&filled), 0);
    CHECK_EQUAL(pthread_cond_init(&filled, NULL), 0);
    CHECK_EQUAL(pthread_cond_signal(&filled), 0);  // nobody has ever waited
    CHECK_EQUAL(pthread_cond_broadcast(&filled), 0);
}

static volatile unsigned waiting;

static void* wait_for_ever(void* unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    waiting = 1;
    for (;;) pthread_cond_wait(&filled, &mutex);
    return NULL;
}

int main(void) {
    items = arg_unsigned("items", 30);
    emptied = malloc(sizeof *emptied);
    CHECK_EQUAL(pthread_cond_init(emptied, NULL), 0);
    test_buffer();
    CHECK_EQUAL(pthread_cond_destroy(emptied), 0);
    free(emptied);
    test_other_mutex();

    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, wait_for_ever, NULL), 0);
    while (!waiting) sched_yield();
    pthread_mutex_lock(&mutex);
    CHECK_EQUAL(pthread_cond_destroy(&filled), EBUSY);
    pthread_mutex_unlock(&mutex);
    return 7;
}
