// SPDX-License-Identifier: MIT

// Mutex, condition, semaphore, barrier and join, built from block and signal. Each has a lock that
// guards its few words and its queue of waiters. A thread joins the queue before it blocks. The
// lock is released only after the thread has left its stack (threads.c), so whoever takes it from
// the queue may signal it at once. Under such a lock only locks of the package are taken.

#include "lists.h"

ALWAYS_INLINE void acquire(struct lock* lock) {
    lock_acquire(lock, &this_processor()->lock_slot);
}

ALWAYS_INLINE void release(struct lock* lock) {
    lock_release(lock, &this_processor()->lock_slot);
}

ALWAYS_INLINE void wait_in(struct thread_queue* queue, struct lock* lock) {
    queue_put(queue, this_processor()->current);
    thread_block(lock);
}

// ---- mutex ----

// Hands the mutex to the first waiter, if there is one. The caller holds its lock.
ALWAYS_INLINE struct thread* hand_on(struct thread_mutex* mutex) {
    struct thread* heir = queue_take(&mutex->waiters);
    if (heir == NULL) mutex->held = false;
    return heir;
}

THREADS_FUNCTION THREAD_CALL void thread_mutex_lock(struct thread_mutex* mutex) {
    acquire(&mutex->lock);
    if (mutex->held) {
        wait_in(&mutex->waiters, &mutex->lock);
    } else {
        mutex->held = true;
        release(&mutex->lock);
    }
}

THREADS_FUNCTION THREAD_CALL void thread_mutex_unlock(struct thread_mutex* mutex) {
    acquire(&mutex->lock);
    struct thread* heir = hand_on(mutex);
    release(&mutex->lock);
    if (heir != NULL) thread_signal(heir);
}

// ---- condition: the lock of its mutex guards its queue ----

THREADS_FUNCTION THREAD_CALL void thread_condition_wait(struct thread_condition* condition) {
    struct thread_mutex* mutex = condition->mutex;
    acquire(&mutex->lock);
    struct thread* heir = hand_on(mutex);
    if (heir != NULL) thread_signal(heir);
    wait_in(&condition->waiters, &mutex->lock);
}

// Wakes the first waiter, or all of them. Each needs the mutex: the first gets the mutex if it is
// free, the others wait for it.
ALWAYS_INLINE void wake(struct thread_condition* condition, bool all) {
    struct thread_mutex* mutex = condition->mutex;
    struct thread *thread, *owner = NULL;
    acquire(&mutex->lock);
    while ((thread = queue_take(&condition->waiters)) != NULL) {
        if (mutex->held)
            queue_put(&mutex->waiters, thread);
        else
            owner = thread;
        mutex->held = true;
        if (!all) break;
    }
    release(&mutex->lock);
    if (owner != NULL) thread_signal(owner);
}

THREADS_FUNCTION THREAD_CALL void thread_condition_signal(struct thread_condition* condition) {
    wake(condition, false);
}

THREADS_FUNCTION THREAD_CALL void thread_condition_broadcast(struct thread_condition* condition) {
    wake(condition, true);
}

// ---- semaphore ----

THREADS_FUNCTION THREAD_CALL void thread_semaphore_wait(struct thread_semaphore* semaphore) {
    acquire(&semaphore->lock);
    if (semaphore->count == 0) {
        wait_in(&semaphore->waiters, &semaphore->lock);
    } else {
        semaphore->count--;
        release(&semaphore->lock);
    }
}

THREADS_FUNCTION THREAD_CALL void thread_semaphore_post(struct thread_semaphore* semaphore) {
    acquire(&semaphore->lock);
    struct thread* heir = queue_take(&semaphore->waiters);
    if (heir == NULL) semaphore->count++;
    release(&semaphore->lock);
    if (heir != NULL) thread_signal(heir);
}

// ---- barrier ----

THREADS_FUNCTION THREAD_CALL void thread_barrier_wait(struct thread_barrier* barrier) {
    acquire(&barrier->lock);
    if (--barrier->missing != 0) {
        wait_in(&barrier->waiters, &barrier->lock);
        return;
    }
    struct thread_queue all = barrier->waiters;
    barrier->waiters.head = NULL;
    barrier->missing = barrier->count;
    release(&barrier->lock);
#ifdef STRATEGY_READIES_ALL
    thread_signal_all(&all);
#else
    for (struct thread* thread; (thread = queue_take(&all)) != NULL;) thread_signal(thread);
#endif
}

// ---- join ----

static void run_task(void* argument) {
    struct thread_task* task = argument;
    task->function(task->argument);
    thread_semaphore_post(&task->done);
}

void thread_fork(struct thread_task* task, thread_function* function, void* argument) {
    *task = (struct thread_task){function, argument, THREAD_SEMAPHORE_INIT(0)};
    thread_create(run_task, task);
}

THREADS_FUNCTION THREAD_CALL void thread_join(struct thread_task* task) {
    thread_semaphore_wait(&task->done);
}
