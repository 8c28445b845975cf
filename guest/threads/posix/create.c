// SPDX-License-Identifier: MIT

// Threads of pthread.h: main as a thread, create, exit, join, detach.

#include "cpu.h"
#include "errno.h"
#include "posix.h"
#include "probes.h"
#include "sections.h"
#include "stdlib.h"
#include "string.h"
#include "symsim.h"
#include "threads/package.h"

// ---- the number of threads that have not ended: the last one ends the run ----

static struct lock running_lock = LOCK_INIT;
static unsigned running = 1;  // main
static unsigned created;      // besides main

// Returns the number of the new thread.
static unsigned count_start(void) {
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&running_lock, slot);
    running++;
    unsigned number = ++created;
    lock_release(&running_lock, slot);
    return number;
}

static void count_end(void) {
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&running_lock, slot);
    bool last = --running == 0;
    lock_release(&running_lock, slot);
    if (last) exit(EXIT_SUCCESS);
}

// ---- life of a thread ----

static __attribute__((noinline)) void run_start(struct pthread* self) {
    if (setjmp(self->exit) == 0) self->result = self->start(self->argument);
}

// Calls run_start(self) on the stack of its own that the thread has asked for. ebx keeps this one.
static __attribute__((noinline)) void run_start_on_own_stack(struct pthread* self) {
    void** top = (void**)((char*)self->stack + self->stack_bytes);
    *--top = self;
    __asm__ volatile(
        "xchgl %%ebx, %%esp\n\t"
        "call *%1\n\t"
        "movl %%ebx, %%esp"
        : "+b"(top)
        : "S"(run_start)
        : "eax", "ecx", "edx", "cc", "memory");
}

static void release(struct pthread* thread) {
    guarded_stack_free(thread->stack);
    free(thread);
}

// After `done` is posted, the struct is another thread's to release.
static void run_thread(void* argument) {
    struct pthread* self = argument;
    PROBE(PROBE_THREAD_HANDLE, self);
    if (self->stack != NULL)
        run_start_on_own_stack(self);
    else
        run_start(self);
    values_destroy(self);

    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&self->lock, slot);
    self->ended = true;
    bool detached = self->detached;
    lock_release(&self->lock, slot);
    if (detached)
        release(self);
    else
        thread_semaphore_post(&self->done);
    count_end();
}

// Makes a thread that is not yet started; NULL: no memory.
static struct pthread* new_thread(void* (*start)(void*), void* argument, size_t stack_bytes) {
    struct pthread* thread = malloc(sizeof *thread);
    if (thread == NULL) return NULL;
    *thread = (struct pthread){.start = start,
                               .argument = argument,
                               .stack_bytes = stack_bytes,
                               .lock = LOCK_INIT,
                               .done = THREAD_SEMAPHORE_INIT(0)};
    if (stack_bytes > THREAD_STACK_BYTES) {
        thread->stack = guarded_stack(stack_bytes);
        if (thread->stack == NULL) {
            free(thread);
            return NULL;
        }
    }
    return thread;
}

// ---- main: the linker calls this one, and the program's __real_main (--wrap=main) ----

int __real_main(int count, char** arguments);
int __wrap_main(int count, char** arguments);

static char** main_arguments;

static void* main_thread(void* unused) {
    (void)unused;
    exit(__real_main(MAIN_COUNT, main_arguments));
}

// The package's first thread. It never ends, since its end would stop idle processors.
static void run_main(void* unused) {
    static struct thread_semaphore never = THREAD_SEMAPHORE_INIT(0);
    (void)unused;
    struct pthread* thread = new_thread(main_thread, NULL, STACK_BYTES);
    if (thread == NULL) panic("pthread: no memory for main's stack of %u bytes", STACK_BYTES);
    thread_create(run_thread, thread);
    thread_semaphore_wait(&never);
}

int __wrap_main(int count, char** arguments) {
    static const struct thread_mutex initial = THREAD_MUTEX_INIT;
    static const pthread_mutex_t zero = PTHREAD_MUTEX_INITIALIZER;
    (void)count;
    if (memcmp(&initial, &zero, sizeof initial) != 0) panic("pthread: a free lock is not zero");
    main_arguments = arguments;
    threads_run(run_main, NULL);
    panic("pthread: no thread can run");
}

// ---- operations of pthread.h ----

THREADS_FUNCTION int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                    void* (*start)(void*), void* argument) {
    size_t stack_bytes = attributes == NULL ? 0 : attributes->stack_bytes;
    struct pthread* made = new_thread(start, argument, stack_bytes);
    if (made == NULL) return EAGAIN;
    made->detached = attributes != NULL && attributes->detached;
    made->number = count_start();
    *thread = made;
    thread_create(run_thread, made);
    return 0;
}

THREADS_FUNCTION pthread_t pthread_self(void) {
    const struct thread* self = thread_self();
    if (self->function != run_thread) panic("pthread: this is not a thread of pthread_create");
    return self->argument;
}

THREADS_FUNCTION int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

THREADS_FUNCTION _Noreturn void pthread_exit(void* result) {
    struct pthread* self = pthread_self();
    self->result = result;
    longjmp(self->exit, 1);
}

THREADS_FUNCTION int pthread_join(pthread_t thread, void** result) {
    if (thread == pthread_self()) return EDEADLK;
    if (thread->detached) return EINVAL;
    PROBE(PROBE_THREAD_JOIN, thread);
    thread_semaphore_wait(&thread->done);
    PROBE(PROBE_WAIT_END, thread);
    if (result != NULL) *result = thread->result;
    release(thread);
    return 0;
}

// A thread that has ended may still be about to post `done`, so that is waited for.
THREADS_FUNCTION int pthread_detach(pthread_t thread) {
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&thread->lock, slot);
    bool ended = thread->ended, before = thread->detached;
    thread->detached = true;
    lock_release(&thread->lock, slot);
    if (before) return EINVAL;
    if (ended) {
        thread_semaphore_wait(&thread->done);
        release(thread);
    }
    return 0;
}

THREADS_FUNCTION int sched_yield(void) {
    thread_yield();
    return 0;
}

// For lib/unistd.c.
void posix_pause(void);
THREADS_FUNCTION void posix_pause(void) {
    thread_yield();
}
