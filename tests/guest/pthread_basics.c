// SPDX-License-Identifier: MIT

// Threads, mutex, barrier and once of pthread.h, in a program that knows nothing else of the
// machine. main ends by pthread_exit, so the run ends when the last thread does. Argument: turns,
// iterations per thread, default 20.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "test.h"

#define THREADS 7

static unsigned turns;

// Runs function(i) in THREADS threads, waits for all, and returns the sum of their results.
static unsigned in_all(void* (*function)(void*)) {
    pthread_t threads[THREADS];
    unsigned sum = 0;
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, function, (void*)i), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void* result;
        CHECK_EQUAL(pthread_join(threads[i], &result), 0);
        sum += (unsigned)result;
    }
    return sum;
}

// ---- result, exit from within a call, self and equal ----

static void leave_if_odd(unsigned number) {
    if (number % 2 == 1) pthread_exit((void*)(number * 100));
}

static void* hundredfold(void* number) {
    leave_if_odd((unsigned)number);
    return (void*)((unsigned)number * 100);
}

static void* self_stays(void* unused) {
    (void)unused;
    pthread_t self = pthread_self();
    for (unsigned i = 0; i < turns; i++) {
        sched_yield();
        CHECK(pthread_equal(self, pthread_self()));
    }
    return self;
}

static void* join_itself(void* unused) {
    (void)unused;
    return (void*)pthread_join(pthread_self(), NULL);
}

static void test_threads(void) {
    CHECK_EQUAL(in_all(hundredfold), 2100);
    pthread_t a, b;
    CHECK_EQUAL(pthread_create(&a, NULL, self_stays, NULL), 0);
    CHECK_EQUAL(pthread_create(&b, NULL, self_stays, NULL), 0);
    CHECK(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    pthread_t a_itself = a;
    void *a_says, *b_says;
    CHECK_EQUAL(pthread_join(a, &a_says), 0);
    CHECK_EQUAL(pthread_join(b, &b_says), 0);
    CHECK(a_says == (void*)a_itself && b_says != a_says);
    CHECK_EQUAL(pthread_create(&a, NULL, join_itself, NULL), 0);
    CHECK_EQUAL(pthread_join(a, &a_says), 0);
    CHECK_EQUAL((unsigned)a_says, EDEADLK);
}

// ---- mutex: no other thread is in the section, even if its owner yields ----

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned value, inside, busy;

static void* add_in_turns(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned i = 0; i < turns; i++) {
        if (self % 2 == 0) {
            pthread_mutex_lock(&mutex);
        } else {
            int error;
            while ((error = pthread_mutex_trylock(&mutex)) != 0) {
                CHECK_EQUAL(error, EBUSY);
                sched_yield();
            }
        }
        CHECK_EQUAL(inside, 0);
        inside = 1;
        unsigned before = value;
        if ((i + self) % 3 == 0) sched_yield();
        value = before + 1;
        inside = 0;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void test_mutex(void) {
    in_all(add_in_turns);
    CHECK_EQUAL(value, THREADS * turns);
    pthread_mutex_t* own = malloc(sizeof *own);
    CHECK_EQUAL(pthread_mutex_init(own, NULL), 0);
    CHECK_EQUAL(pthread_mutex_trylock(own), 0);
    CHECK_EQUAL(pthread_mutex_trylock(own), EBUSY);
    CHECK_EQUAL(pthread_mutex_destroy(own), EBUSY);
    CHECK_EQUAL(pthread_mutex_unlock(own), 0);
    CHECK_EQUAL(pthread_mutex_destroy(own), 0);
    free(own);
}

// ---- barrier: nobody is ahead by two episodes, and one thread of each is its serial thread ----

static pthread_barrier_t barrier_of_all;
static volatile unsigned episodes[THREADS];

static void* meet(void* number) {
    unsigned self = (unsigned)number, serial = 0;
    for (unsigned episode = 1; episode <= turns; episode++) {
        if ((episode + self) % 4 == 0) sched_yield();
        episodes[self] = episode;
        int result = pthread_barrier_wait(&barrier_of_all);
        CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        if (result != 0) serial++;
        for (unsigned i = 0; i < THREADS; i++) {
            unsigned other = episodes[i];
            CHECK(other == episode || other == episode + 1);
        }
    }
    return (void*)serial;
}

static void test_barrier(void) {
    CHECK_EQUAL(pthread_barrier_init(&barrier_of_all, NULL, 0), EINVAL);
    CHECK_EQUAL(pthread_barrier_init(&barrier_of_all, NULL, THREADS), 0);
    CHECK_EQUAL(in_all(meet), turns);
    CHECK_EQUAL(pthread_barrier_destroy(&barrier_of_all), 0);
}

// ---- once: all threads see what the function has done ----

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile unsigned prepared;

static void prepare(void) {
    usleep(50);
    prepared = prepared + 1;
}

static void* need_prepared(void* unused) {
    (void)unused;
    CHECK_EQUAL(pthread_once(&once, prepare), 0);
    return (void*)prepared;
}

// ---- attributes: a large stack, and threads that nobody joins ----

static void* use_stack(void* unused) {
    (void)unused;
    volatile unsigned char room[100000];
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof room; i += 1000) room[i] = 1;
    sched_yield();
    for (unsigned i = 0; i < sizeof room; i += 1000) sum += room[i];
    pthread_exit((void*)sum);
}

static volatile unsigned ended;  // guarded by `mutex`

static void* end_alone(void* microseconds) {
    usleep((useconds_t)microseconds);
    pthread_mutex_lock(&mutex);
    ended = ended + 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void test_attributes(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    void* result;
    CHECK_EQUAL(pthread_attr_init(&attributes), 0);
    CHECK_EQUAL(pthread_attr_setstacksize(&attributes, 1000), EINVAL);
    CHECK_EQUAL(pthread_attr_setstacksize(&attributes, 128 * 1024), 0);
    CHECK_EQUAL(pthread_create(&thread, &attributes, use_stack, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, &result), 0);
    CHECK_EQUAL((unsigned)result, 100);
    CHECK_EQUAL(pthread_attr_setstacksize(&attributes, 0x40000000), 0);
    CHECK_EQUAL(pthread_create(&thread, &attributes, use_stack, NULL), EAGAIN);

    CHECK_EQUAL(pthread_attr_init(&attributes), 0);
    CHECK_EQUAL(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED), 0);
    CHECK_EQUAL(pthread_create(&thread, &attributes, end_alone, (void*)100), 0);
    CHECK_EQUAL(pthread_attr_destroy(&attributes), 0);
    for (unsigned us = 0; us <= 400; us += 200) {  // detached before its end, and after
        CHECK_EQUAL(pthread_create(&thread, NULL, end_alone, (void*)200), 0);
        usleep(us);
        CHECK_EQUAL(pthread_detach(thread), 0);
    }
}

// ---- the end of the run ----

static void* end_last(void* unused) {
    (void)unused;
    usleep(2000);
    CHECK_EQUAL(ended, 4);
    printf("last\n");
    return NULL;
}

int main(int count, char** arguments) {
    CHECK(count == 1 && arguments[0] != NULL && arguments[1] == NULL);
    turns = arg_unsigned("turns", 20);
    struct timeval start, end;
    gettimeofday(&start, NULL);
    test_threads();
    test_mutex();
    test_barrier();
    CHECK_EQUAL(in_all(need_prepared), THREADS);
    test_attributes();
    gettimeofday(&end, NULL);
    CHECK(end.tv_sec > start.tv_sec || end.tv_usec > start.tv_usec);

    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, end_last, NULL), 0);
    pthread_exit(NULL);
}
