// SPDX-License-Identifier: MIT
#pragma once

// POSIX threads on the thread package (docs/reference/threads.md, "POSIX threads"). A program has
// them if it is built with `symlab cc -pthread` or with POSIX in symsim_guest(); then main runs in
// a thread. Functions that return int return 0 or a number of errno.h. What POSIX has and this
// file has not is not there, so a program that uses it does not build.

#include <sched.h>
#include <stddef.h>

#define PTHREAD_STACK_MIN (16 * 1024)
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

// ---- threads ----
typedef struct pthread* pthread_t;
typedef struct {
    int detached;
    size_t stack_bytes;
} pthread_attr_t;

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1

int pthread_attr_init(pthread_attr_t* attributes);
int pthread_attr_destroy(pthread_attr_t* attributes);
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state);
int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state);
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t bytes);
int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* bytes);

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument);
int pthread_join(pthread_t thread, void** result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self(void);
int pthread_equal(pthread_t a, pthread_t b);
_Noreturn void pthread_exit(void* result);

// ---- synchronisation: the package's mutex, condition and barrier. All bytes zero is the initial
// state. The attribute types are incomplete: there are only default attributes, NULL. ----
typedef struct pthread_mutexattr pthread_mutexattr_t;
typedef struct pthread_condattr pthread_condattr_t;
typedef struct pthread_barrierattr pthread_barrierattr_t;

#define PTHREAD_ALIGNED __attribute__((aligned(32)))  // to cache lines
typedef struct {
    PTHREAD_ALIGNED unsigned words[24];
} pthread_mutex_t;
typedef struct {
    unsigned words[3];
} pthread_cond_t;
typedef struct {
    PTHREAD_ALIGNED unsigned words[32];
} pthread_barrier_t;
typedef struct {
    pthread_mutex_t mutex;
    volatile unsigned char done;
} pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER \
    {                             \
        { 0 }                     \
    }
#define PTHREAD_COND_INITIALIZER \
    {                            \
        { 0 }                    \
    }
#define PTHREAD_ONCE_INIT \
    { PTHREAD_MUTEX_INITIALIZER, 0 }

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes);
int pthread_mutex_destroy(pthread_mutex_t* mutex);
int pthread_mutex_lock(pthread_mutex_t* mutex);
int pthread_mutex_trylock(pthread_mutex_t* mutex);
int pthread_mutex_unlock(pthread_mutex_t* mutex);

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes);
int pthread_cond_destroy(pthread_cond_t* condition);
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex);
int pthread_cond_signal(pthread_cond_t* condition);
int pthread_cond_broadcast(pthread_cond_t* condition);

#define PTHREAD_BARRIER_SERIAL_THREAD (-1)  // result of the wait in one of the threads
int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count);
int pthread_barrier_destroy(pthread_barrier_t* barrier);
int pthread_barrier_wait(pthread_barrier_t* barrier);

int pthread_once(pthread_once_t* once, void (*function)(void));

// ---- a thread's own values ----
typedef unsigned pthread_key_t;
int pthread_key_create(pthread_key_t* key, void (*destructor)(void* value));
int pthread_key_delete(pthread_key_t key);
void* pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void* value);
