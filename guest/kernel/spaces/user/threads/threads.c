// SPDX-License-Identifier: MIT

// kernel_threads.h: system calls, and a mutex that makes one only when a thread has to wait.

#include "kernel_threads.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"
#include "symsim.h"

__attribute__((regparm(2))) void kernel_thread_begin(kernel_thread_function*, void*);  // upcall.c

kernel_thread kernel_thread_fork(kernel_thread_function* function, void* argument) {
    return (int)system_call(CALL_THREAD_FORK, (uintptr_t)kernel_thread_begin, (uintptr_t)function,
                            (uintptr_t)argument);
}

_Noreturn void kernel_thread_exit(void) {
    for (;;) system_call(CALL_THREAD_EXIT, 0, 0, 0);
}

int kernel_thread_join(kernel_thread thread) {
    return (int)system_call(CALL_THREAD_JOIN, (uint32_t)thread, 0, 0);
}

void kernel_thread_yield(void) {
    system_call(CALL_THREAD_YIELD, 0, 0, 0);
}

kernel_thread kernel_thread_self(void) {
    return (int)system_call(CALL_THREAD_SELF, 0, 0, 0);
}

void kernel_thread_block(void) {
    system_call(CALL_THREAD_BLOCK, 0, 0, 0);
}

int kernel_thread_signal(kernel_thread thread) {
    return (int)system_call(CALL_THREAD_SIGNAL, (uint32_t)thread, 0, 0);
}

// ---- mutex: unlock() hands it to the first waiter, which is signalled ----

// On the stack of the thread that waits, which continues once it has been `given` the mutex.
struct kernel_mutex_waiter {
    kernel_thread thread;
    volatile bool given;
    struct kernel_mutex_waiter* next;
};

// A signal that has another sender is not lost: the thread sends it to itself.
static void wait_until_given(const struct kernel_mutex_waiter* self) {
    unsigned others = 0;
    for (;;) {
        kernel_thread_block();
        if (self->given) break;
        others++;
    }
    while (others-- > 0) kernel_thread_signal(self->thread);
}

static void wait_in(struct kernel_mutex* mutex, struct lock_slot* slot) {
    struct kernel_mutex_waiter self = {kernel_thread_self(), false, NULL};
    if (mutex->first == NULL)
        mutex->first = &self;
    else
        mutex->last->next = &self;
    mutex->last = &self;
    lock_release(&mutex->lock, slot);
    wait_until_given(&self);
}

void kernel_mutex_lock(struct kernel_mutex* mutex) {
    struct lock_slot slot;
    lock_acquire(&mutex->lock, &slot);
    if (mutex->held) {
        wait_in(mutex, &slot);
        return;
    }
    mutex->held = true;
    lock_release(&mutex->lock, &slot);
}

void kernel_mutex_unlock(struct kernel_mutex* mutex) {
    struct lock_slot slot;
    lock_acquire(&mutex->lock, &slot);
    struct kernel_mutex_waiter* heir = mutex->first;
    if (heir == NULL) {
        mutex->held = false;
        lock_release(&mutex->lock, &slot);
        return;
    }
    mutex->first = heir->next;
    const kernel_thread thread = heir->thread;  // the heir may be gone once it is given the mutex
    heir->given = true;
    lock_release(&mutex->lock, &slot);
    kernel_thread_signal(thread);
}
