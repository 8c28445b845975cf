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

static void wait_in(struct kernel_mutex* mutex, struct lock_slot* slot) {
    if (mutex->waiting == KERNEL_MUTEX_WAITERS)
        panic("kernel_mutex_lock: %u threads wait", mutex->waiting);
    mutex->waiters[mutex->waiting++] = kernel_thread_self();
    lock_release(&mutex->lock, slot);
    kernel_thread_block();
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

static kernel_thread take_waiter(struct kernel_mutex* mutex) {
    if (mutex->waiting == 0) return -1;
    const kernel_thread first = mutex->waiters[0];
    mutex->waiting--;
    for (unsigned i = 0; i < mutex->waiting; i++) mutex->waiters[i] = mutex->waiters[i + 1];
    return first;
}

void kernel_mutex_unlock(struct kernel_mutex* mutex) {
    struct lock_slot slot;
    lock_acquire(&mutex->lock, &slot);
    const kernel_thread heir = take_waiter(mutex);
    if (heir < 0) mutex->held = false;
    lock_release(&mutex->lock, &slot);
    if (heir >= 0) kernel_thread_signal(heir);
}
