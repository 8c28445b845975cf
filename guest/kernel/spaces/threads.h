// SPDX-License-Identifier: MIT
#pragma once

// Kernel threads: a thread is in one address space, and the kernel decides which thread a processor
// runs. As the kernel never sleeps, a thread that does not run is nothing but its trap frame. All
// queues, and the states of all threads, are under one lock.

#include "spaces.h"

#define MESSAGE_WORDS 12     // of kernel_message.h
#define THREADS_OF_SPACE 64  // so that none uses up the table
#define THREAD_STACK_PAGES 2

// How many have come from each space, and have not been waited for.
struct signals {
    unsigned char from[MAX_SPACES];
};

enum thread_state { THREAD_FREE, THREAD_READY, THREAD_RUNS, THREAD_BLOCKED };

struct kernel_thread {
    LINE_ALIGNED struct link link;  // in the list of those that are ready, or in a port
    enum thread_state state;
    struct user_space* volatile space;  // whose code it runs
    struct user_space* home;            // whose thread it is
    unsigned uses;                      // how many threads have had this record
    bool waits;                         // for a signal from the space in which it is
    struct signals signals;
    bool preempted;  // it does not run, and `kept` has all of its registers
    struct kernel_thread* joiner;
    uintptr_t stack;                // the pages of its stack, in its home
    struct linkage* linkage;        // lrpc.h: the innermost call that it is in
    struct user_space* server;      // message.c: whose answer it waits for
    struct kernel_thread* client;   // message.c: whose message it serves
    struct kernel_thread* message;  // port.c: who has the message that it gets when it runs on
    struct list* port;              // port.c: in which it waits
    uintptr_t buffer;               // message.c: where it wants it
    uint32_t words, data[MESSAGE_WORDS];  // message.c: the message that it has sent, or the answer
    struct trap_frame frame;
    struct context kept;  // of one that is preempted
};

// thread_table.c: the records, and those that are ready. All is under the lock of the scheduler.
extern struct kernel_thread kernel_threads[];
extern unsigned kernel_threads_made;
extern struct spinlock scheduler_lock;
extern struct ready_threads { LINE_ALIGNED struct list list; } ready_threads;
static inline bool a_thread_is_ready(void) {  // also without the lock
    return !list_is_empty(&ready_threads.list);
}
int thread_id(const struct kernel_thread* thread);
struct kernel_thread* thread_named(int id);  // NULL if it has ended
// A record with a stack, of a thread that has ended or a new one; NULL if there is no room.
struct kernel_thread* take_record(struct user_space* space);
void make_ready(struct kernel_thread* thread);
// The current thread stops, with its frame as it is.
void stop_thread(struct kernel_thread* self, const struct trap_frame* frame);

// threads.c
int thread_fork(struct user_space* space, uint32_t entry, uint32_t function, uint32_t argument);
int thread_signal(int id);
void threads_space_ended(const struct user_space* space);
// Under the lock: the thread ends; it waits no longer, for whatever it does.
void free_thread(struct kernel_thread* thread);
void give_up_wait(struct kernel_thread* thread);

// schedule.c
void setup_scheduler(void);
// These run another thread, and are called under the lock, which they release.
void run_next(struct trap_frame* frame);  // the next ready thread, or waits for one
void run_thread(struct trap_frame* frame, struct kernel_thread* thread);  // which is in no list
void block_thread(struct trap_frame* frame);  // the current one stops until somebody makes it ready
void preempt_thread(struct trap_frame* frame);  // the current one, if another one is ready
// The current thread's space has changed, or ended: then it continues where it came from, if at
// all.
void thread_moved(struct trap_frame* frame);
void end_thread(struct trap_frame* frame, struct kernel_thread* thread);  // that runs here
// The space of the current thread, or that has the processor, has ended.
void processor_moves_on(struct trap_frame* frame);

// thread_calls.c
void threads_serve(struct trap_frame* frame);
void thread_exit(struct trap_frame* frame);
void thread_join(struct trap_frame* frame, int id);
void thread_yield(struct trap_frame* frame);
void thread_block(struct trap_frame* frame);
