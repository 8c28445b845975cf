// SPDX-License-Identifier: MIT

// Keys of pthread.h: each thread has its own values, destructors run at its end and again for
// values that destructors set, and a deleted key's values do not appear under a new key.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "test.h"

#define THREADS 9
#define ROUNDS 3  // how often the destructor of `stubborn` sets a value again

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t block, number, stubborn;
static unsigned destroyed, again;  // guarded by `mutex`

static void destroy_block(void* value) {
    CHECK_EQUAL((unsigned)pthread_getspecific(block), 0);
    free(value);
    pthread_mutex_lock(&mutex);
    destroyed++;
    pthread_mutex_unlock(&mutex);
}

static void set_again(void* value) {
    pthread_mutex_lock(&mutex);
    again++;
    pthread_mutex_unlock(&mutex);
    unsigned left = (unsigned)value - 1;
    if (left != 0) CHECK_EQUAL(pthread_setspecific(stubborn, (void*)left), 0);
}

static void* use_keys(void* argument) {
    CHECK(pthread_getspecific(block) == NULL && pthread_getspecific(number) == NULL);
    unsigned* own = malloc(sizeof *own);
    *own = (unsigned)argument;
    CHECK_EQUAL(pthread_setspecific(block, own), 0);
    CHECK_EQUAL(pthread_setspecific(number, argument), 0);
    CHECK_EQUAL(pthread_setspecific(stubborn, (void*)ROUNDS), 0);
    for (unsigned i = 0; i < 5; i++) {
        sched_yield();
        CHECK(pthread_getspecific(block) == own && pthread_getspecific(number) == argument);
    }
    CHECK_EQUAL(*own, (unsigned)argument);
    if (*own % 2 == 0) pthread_exit(NULL);
    return NULL;
}

static void test_deleted_key(void) {
    CHECK_EQUAL(pthread_setspecific(number, &number), 0);
    CHECK_EQUAL(pthread_key_delete(number), 0);
    CHECK_EQUAL(pthread_key_delete(number), EINVAL);
    CHECK_EQUAL(pthread_setspecific(number, &number), EINVAL);
    CHECK(pthread_getspecific(number) == NULL);
    pthread_key_t reborn;
    CHECK_EQUAL(pthread_key_create(&reborn, NULL), 0);
    CHECK_EQUAL(reborn, number);
    CHECK(pthread_getspecific(reborn) == NULL);
}

static void test_all_keys(void) {
    pthread_key_t key, made = 0;
    int error;
    while ((error = pthread_key_create(&key, NULL)) == 0) made++;
    CHECK_EQUAL(error, EAGAIN);
    CHECK_EQUAL(made, PTHREAD_KEYS_MAX - 3);
}

int main(void) {
    CHECK_EQUAL(pthread_key_create(&block, destroy_block), 0);
    CHECK_EQUAL(pthread_key_create(&number, NULL), 0);
    CHECK_EQUAL(pthread_key_create(&stubborn, set_again), 0);
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, use_keys, (void*)(i + 1)), 0);
    for (unsigned i = 0; i < THREADS; i++) CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
    CHECK_EQUAL(destroyed, THREADS);
    CHECK_EQUAL(again, THREADS * ROUNDS);
    test_deleted_key();
    test_all_keys();
    return 0;
}
