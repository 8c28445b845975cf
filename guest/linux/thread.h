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
    struct timer** list;  // NULL: that of real time
    struct timer* next;
    uint64_t at;      // of now_us(), or what else the list counts
    uint64_t period;  // until the next time; 0: once
    uint32_t missed;  // more periods that are over
    bool set;
    void (*fire)(struct timer* timer);
};

// A timer of a process, which sends a signal (timers.c).
struct clock_timer {
    struct timer timer;
    struct clock_timer* next;
    struct process* process;
    int thread;  // that gets the signal; 0: the process
    bool quiet;  // sends none
    bool realtime;
    struct signal_information information;
    uint32_t overrun;  // when its signal was taken last
};
#define INTERVALS 3  // of setitimer()
// A bit for each processor.
struct processor_set {
    uint32_t words[(MAX_PROCESSORS + 31) / 32];
};

struct file;
#define FILES_MOST 64u  // of a process

struct process {
    int id;
    struct process *parent, *children, *next;  // process.c has the lock
    bool ended;                                // its parent has not asked for its status yet
    struct file* files[FILES_MOST];
    uint64_t close_on_exec;            // a bit for each of them
    int exit_signal;                   // to the parent; 0: none
    struct node *folder, *executable;  // the current folder; /proc/self/exe
    uint32_t mask;                     // of the rights of new files
    struct memory* memory;
    volatile bool*
        borrowed;  // false when the memory is no more its parent's (vfork); NULL: it never was
    struct spinlock lock;    // for what follows
    struct thread* threads;  // those that have not ended
    uint64_t ran_us;         // by threads that have ended
    uint64_t children_us;    // by children that have ended
    struct action actions[SIGNALS];
    struct pending pending;
    struct clock_timer intervals[INTERVALS];
    struct clock_timer* timers;  // of timer_create()
    struct timer* cpu_timers;
    uint64_t shown_us;  // the most that process_ran_us() has returned
    int group, session;
    volatile bool stopped;             // by a signal
    volatile unsigned char continued;  // and it has not told its parent yet
    int news;                          // of a stop or a continuation, as wait4() gives it; 0: none
    int status;            // as wait4() gives it; that of exit_group(), or of the first thread
    volatile bool ending;  // all its threads are to end
    struct thread* volatile only;  // or all but this one (execve)
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
    struct processor_set affinity;
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
    uintptr_t key;   // for what it sleeps, where several do so in one queue
    uintptr_t word;  // futex.c
    uint32_t bits;
};

static inline bool must_end(const struct thread* thread) {
    const struct process* process = thread->process;
    return process->ending || (process->only != NULL && process->only != thread);
}

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
// Calls `use` for each thread that `is` knows by the number; false if there is none.
bool thread_with(int id, bool (*is)(struct thread* thread, int id),
                 void (*use)(struct thread* thread, void* argument), void* argument);
_Noreturn void thread_end(int status);   // the current one
_Noreturn void process_end(int status);  // all threads of the current one's process
uint64_t thread_ran_us(const struct thread* thread, uint64_t now);
// False: another one of the process does the same, or the process ends.
bool threads_end_others(void);
uint64_t process_ran_us(struct process* process, uint64_t now);  // on all processors
void thread_free(struct thread* thread);
void process_hurry(struct process* process);  // its threads that run look what others want
// Before ring 3 continues: does what others want of this thread.
void leave_to_user(struct trap_frame* frame);

// ---- process.c ----

// A copy of the current process, whose only thread continues as the current one; NULL: no memory.
// With `borrowed` it has its parent's memory itself, and sets *borrowed to false when it leaves it.
struct thread* process_fork(const struct trap_frame* frame, uintptr_t stack,
                            volatile bool* borrowed);
void process_leave_memory(struct process* process);
void wait_while(volatile bool* borrowed);
void process_finish(struct process* process);  // its last thread ends
// The parent learns that the process, the current one, stops or continues.
void process_tell(struct process* process, int status);
#define CONTINUED_STATUS 0xffff
// For thread_with(): one thread of each process.
bool is_process(struct thread* thread, int id);
bool is_in_group(struct thread* thread, int group);
bool has_child(int id);                         // the current process
bool is_thread(struct thread* thread, int id);  // each
void setup_first_process(struct process* process);

// ---- files.c ----

void files_begin(struct process* process);  // 0, 1 and 2 are the console
void files_copy(struct process* to, struct process* from);
void files_execute(struct process* process);  // closes those that close on execve
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
// Wakes those with the key (NULL: all). Call with the lock.
void queue_wake(struct queue* queue, const void* key);
void wake_all(struct queue* queue);              // call with the lock, which is released
void end_sleep(struct thread* thread, int why);  // if it sleeps
// Returns -ETIMEDOUT, or -EINTR: there is a signal.
int sleep_for_signal(uint64_t deadline);

// What waits for this processor or thread has its turn in the middle of a long call; false: the
// call ends with what it has done. Call without a lock.
bool call_goes_on(void);

// ---- clock.c ----

uint64_t now_us(void);  // the age of the machine
void timer_add(struct timer* timer);
void timer_remove(struct timer* timer);
void expire_timers(struct process* process);  // of real time, and of the process, if there is one
uint64_t first_timer(void);

// ---- timers.c ----

void timers_delete(struct process* process);                     // those of timer_create()
void timers_end(struct process* process);                        // all
void timer_taken(const struct signal_information* information);  // the signal of one

// ---- turns.c ----

void setup_turns(void);
unsigned quantum_us(void);
void kick(unsigned processor);  // it answers flushes, and its thread looks what others want

// ---- placement.c ----

void setup_placement(void);
struct processor_set all_processors(void);
void thread_place(struct thread* thread);  // after a change of its affinity
// This processor's thread goes elsewhere if it may not run here.
void leave_processor(void);

// ---- futex.c ----

int futex_wake(uintptr_t word, bool shared, unsigned count, uint32_t bits);
void robust_list_end(struct thread* thread);

// ---- calls.c, elf.c, faults.c ----

void setup_calls(void);
void setup_faults(void);
