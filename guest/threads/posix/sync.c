// SPDX-License-Identifier: MIT

// Mutex, condition, barrier and once of pthread.h: the package's, in the program's opaque structs.

#include "errno.h"
#include "posix.h"
#include "probes.h"
#include "sections.h"
#include "symsim.h"

// PTHREAD_MUTEX_INITIALIZER does not know the lock, so a free lock must be all zeros, as those on
// one word, ticket and mcs are (__wrap_main looks). The other locks are also too large.
struct barrier {
    struct thread_barrier barrier;
    unsigned arrived;  // in this episode; guarded by the lock of `barrier`
};
#define LOCK_FITS "POSIX threads need another lock: one on one word, ticket, mcs or mcs-cas"
_Static_assert(sizeof(struct thread_mutex) <= sizeof(pthread_mutex_t), LOCK_FITS);
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), LOCK_FITS);
_Static_assert(sizeof(struct thread_condition) == sizeof(pthread_cond_t), "the same size");

#define MUTEX(mutex) ((struct thread_mutex*)(mutex))
#define CONDITION(condition) ((struct thread_condition*)(condition))

// ---- mutex ----

THREADS_FUNCTION int pthread_mutex_init(pthread_mutex_t* mutex,
                                        const pthread_mutexattr_t* attributes) {
    if (attributes != NULL) return EINVAL;
    *MUTEX(mutex) = (struct thread_mutex)THREAD_MUTEX_INIT;
    return 0;
}

THREADS_FUNCTION int pthread_mutex_destroy(pthread_mutex_t* mutex) {
    return MUTEX(mutex)->held ? EBUSY : 0;
}

THREADS_FUNCTION int pthread_mutex_lock(pthread_mutex_t* mutex) {
    PROBE(PROBE_MUTEX_ATTEMPT, mutex);
    thread_mutex_lock(MUTEX(mutex));
    PROBE(PROBE_MUTEX_ACQUIRED, mutex);
    return 0;
}

THREADS_FUNCTION int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    struct thread_mutex* tried = MUTEX(mutex);
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&tried->lock, slot);
    bool held = tried->held;
    tried->held = true;
    lock_release(&tried->lock, slot);
    if (held) return EBUSY;
    PROBE(PROBE_MUTEX_ACQUIRED, mutex);
    return 0;
}

THREADS_FUNCTION int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    PROBE(PROBE_MUTEX_RELEASE, mutex);
    thread_mutex_unlock(MUTEX(mutex));
    return 0;
}

// ---- condition: belongs to the mutex of its first wait. A signal that finds no mutex yet comes
// before the first wait, whose thread holds the mutex when it stores it here. ----

THREADS_FUNCTION int pthread_cond_init(pthread_cond_t* condition,
                                       const pthread_condattr_t* attributes) {
    if (attributes != NULL) return EINVAL;
    *CONDITION(condition) = (struct thread_condition)THREAD_CONDITION_INIT(NULL);
    return 0;
}

THREADS_FUNCTION int pthread_cond_destroy(pthread_cond_t* condition) {
    return CONDITION(condition)->waiters.head != NULL ? EBUSY : 0;
}

THREADS_FUNCTION int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    struct thread_condition* waited = CONDITION(condition);
    if (waited->mutex == NULL) waited->mutex = MUTEX(mutex);
    if (waited->mutex != MUTEX(mutex)) return EINVAL;
    PROBE(PROBE_MUTEX_RELEASE, mutex);
    PROBE(PROBE_CONDITION_WAIT, condition);
    thread_condition_wait(waited);
    PROBE(PROBE_WAIT_END, condition);
    PROBE(PROBE_MUTEX_ACQUIRED, mutex);
    return 0;
}

THREADS_FUNCTION int pthread_cond_signal(pthread_cond_t* condition) {
    if (CONDITION(condition)->mutex != NULL) thread_condition_signal(CONDITION(condition));
    return 0;
}

THREADS_FUNCTION int pthread_cond_broadcast(pthread_cond_t* condition) {
    if (CONDITION(condition)->mutex != NULL) thread_condition_broadcast(CONDITION(condition));
    return 0;
}

// ---- barrier ----

THREADS_FUNCTION int pthread_barrier_init(pthread_barrier_t* barrier,
                                          const pthread_barrierattr_t* attributes, unsigned count) {
    if (attributes != NULL || count == 0) return EINVAL;
    *(struct barrier*)barrier = (struct barrier){THREAD_BARRIER_INIT(count), 0};
    return 0;
}

THREADS_FUNCTION int pthread_barrier_destroy(pthread_barrier_t* barrier) {
    return ((struct barrier*)barrier)->arrived != 0 ? EBUSY : 0;
}

// The last thread of an episode to be counted is its serial thread. No thread is counted for the
// next one before all of this one are, since the barrier opens only then.
THREADS_FUNCTION int pthread_barrier_wait(pthread_barrier_t* barrier) {
    struct barrier* awaited = (struct barrier*)barrier;
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&awaited->barrier.lock, slot);
    bool serial = ++awaited->arrived == awaited->barrier.count;
    if (serial) awaited->arrived = 0;
    lock_release(&awaited->barrier.lock, slot);
    PROBE(PROBE_BARRIER_WAIT, barrier);
    thread_barrier_wait(&awaited->barrier);
    PROBE(PROBE_WAIT_END, barrier);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// ---- once: `done` is stored after all that the function stores (ordering.h rule 2) ----

THREADS_FUNCTION int pthread_once(pthread_once_t* once, void (*function)(void)) {
    if (once->done) return 0;
    pthread_mutex_lock(&once->mutex);
    if (!once->done) {
        function();
        compiler_barrier();
        once->done = 1;
    }
    pthread_mutex_unlock(&once->mutex);
    return 0;
}
