// SPDX-License-Identifier: MIT
#pragma once

// Threads and processes. A thread is a task of kernel/shared. The kernel runs with interrupts off.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptors.h"
#include "kernel/shared/task.h"
#include "memory.h"
#include "signals.h"

#define TLS_ENTRIES 3
#define TLS_FIRST (FREE_SELECTOR / 8)

#define FIRST_ID 100  // of the first process

struct thread;

#define THREAD_NAME_BYTES 16
// When a sleep ends at the latest, or something else is to happen (clock.c).
#define NEVER UINT64_MAX
struct timer {
    struct timer* next;
    uint64_t at;      // of now_us()
    uint64_t period;  // until the next time; 0: once
    bool set;
    void (*fire)(struct timer* timer);
};

struct file;
#define FILES_MOST 64  // of a process

struct process {
    int id;
    struct process *parent, *children, *next;  // process.c has the lock
    bool ended;                                // its parent has not asked for its status yet
    struct file* files[FILES_MOST];
    struct memory* memory;
    struct spinlock lock;    // for what follows
    struct thread* threads;  // those that have not ended
    uint64_t ran_us;         // by threads that have ended
    struct action actions[SIGNALS];
    struct pending pending;
    struct timer alarm;
    int status;            // as wait4() gives it; that of exit_group(), or of the first thread
    volatile bool ending;  // all its threads are to end
};

// Threads that sleep for one reason.
struct queue {
    struct spinlock lock;
    struct list list;
};

struct thread {
    struct task task;
    struct thread *next, *next_of_process;
    struct process* process;
    int id;
    struct descriptor tls[TLS_ENTRIES];
    uintptr_t clear_word;  // set to 0 at the end, where others wait for it; 0: none
    uintptr_t robust;      // the list of set_robust_list()
    uint64_t affinity;     // a bit for each processor
    uint64_t ran_us, began_us;

    char name[THREAD_NAME_BYTES];

    struct pending pending;
    volatile uint64_t blocked;  // signals, a bit each
    volatile uint64_t awaited;  // by rt_sigtimedwait()
    bool suspended;             // by rt_sigsuspend(): `blocked_before` is to come back
    uint64_t blocked_before;
    uintptr_t stack_begin;  // of signal handlers
    uint32_t stack_bytes;
    uint32_t fault_vector, fault_error, fault_address;  // of its last exception

    struct queue* volatile queue;  // in which it sleeps; NULL: it does not
    volatile int why;              // it has been woken: 0, or an error
    volatile bool late;            // its deadline is over
    struct timer deadline;
    uintptr_t key, word;  // futex.c
    uint32_t bits;
};

static inline struct thread* this_thread(void) {
    return (struct thread*)this_processor()->current;
}
static inline struct memory* this_memory(void) {
    return this_thread()->process->memory;
}

// ---- thread.c ----

void setup_first_thread(struct process* process, uintptr_t entry, uintptr_t stack);
// A thread of `process` that continues as the current one, with `stack` if that is not 0. NULL if
// there is no memory. It does not run before thread_start().
struct thread* thread_create(struct process* process, const struct trap_frame* frame,
                             uintptr_t stack);
void thread_start(struct thread* thread);
void thread_discard(struct thread* thread);  // instead of thread_start()
// Calls `use` for the thread that `is` knows by the number; false if there is none.
bool thread_with(int id, bool (*is)(struct thread* thread, int id),
                 void (*use)(struct thread* thread, void* argument), void* argument);
_Noreturn void thread_end(int status);   // the current one
_Noreturn void process_end(int status);  // all threads of the current one's process
uint64_t process_ran_us(struct process* process, uint64_t now);  // on all processors
void thread_free(struct thread* thread);
// Before ring 3 continues: does what others want of this thread.
void leave_to_user(struct trap_frame* frame);

// ---- process.c ----

// A copy of the current process, whose only thread continues as the current one; NULL: no memory.
struct thread* process_fork(const struct trap_frame* frame, uintptr_t stack);
void process_finish(struct process* process);  // its last thread ends
void setup_first_process(struct process* process);

// ---- files.c ----

void files_begin(struct process* process);  // 0, 1 and 2 are the console
void files_copy(struct process* to, const struct process* from);
void files_close(struct process* process);

// ---- tls.c ----

int tls_set(struct thread* thread, uintptr_t user_desc, bool may_choose);
void tls_load(const struct thread* thread);  // on this processor

// ---- wait.c ----

// The current thread sleeps in the queue, whose lock it has; the lock is released. 0 if somebody
// has taken it out; else -ETIMEDOUT or -EINTR. Call deadline_set() before the lock is taken.
int sleep_in(struct queue* queue);
void deadline_set(uint64_t at);
void deadline_clear(void);
struct thread* queue_next(struct thread* thread);
void queue_remove(struct queue* queue, struct thread* before, struct thread* thread);
void end_sleep(struct thread* thread, int why);  // if it sleeps
// For threads that are in no queue any more.
void wake(struct thread* thread);
void wake_threads(struct list* threads);
// Returns -ETIMEDOUT, or -EINTR: there is a signal.
int sleep_for_signal(uint64_t deadline);

// ---- clock.c ----

uint64_t now_us(void);  // since the start
void timer_add(struct timer* timer);
void timer_remove(struct timer* timer);
void expire_timers(void);
uint64_t first_timer(void);

// ---- turns.c ----

void setup_turns(void);
void kick(unsigned processor);  // it answers flushes, and its thread looks what others want

// ---- futex.c ----

int futex_wake(uintptr_t word, bool shared, unsigned count, uint32_t bits);
void robust_list_end(struct thread* thread);

// ---- calls.c, elf.c, faults.c ----

void setup_calls(void);
void setup_faults(void);
