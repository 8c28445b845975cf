// SPDX-License-Identifier: MIT
#pragma once

// Kernel threads: a thread is in one address space, and the kernel decides which thread a processor
// runs. As the kernel never sleeps, a thread that does not run is nothing but its trap frame. All
// queues, and the states of all threads, are under one lock.

#include "kernel.h"

#define MESSAGE_WORDS 12     // of kernel_message.h
#define THREADS_OF_SPACE 64  // so that none uses up the table

// How many have come from each space, and have not been waited for.
struct signals {
    unsigned char from[MAX_SPACES];
};

enum thread_state { THREAD_FREE, THREAD_READY, THREAD_RUNS, THREAD_BLOCKED };

struct kernel_thread {
    LINE_ALIGNED struct kernel_thread* next;  // in its queue
    enum thread_state state;
    struct user_space* volatile space;  // whose code it runs
    struct user_space* home;            // whose thread it is
    unsigned uses;                      // how many threads have had this record
    bool waits;                         // for a signal from the space in which it is
    struct signals signals;
    bool preempted;  // it does not run, and `kept` has all of its registers
    struct kernel_thread* joiner;
    uintptr_t stack;                // the pages of its stack, in its home
    struct linkage* linkage;        // lrpc.c: the innermost call that it is in
    struct user_space* server;      // message.c: whose answer it waits for
    struct kernel_thread* client;   // message.c: whose message it serves
    struct kernel_thread* message;  // message.c: who has the message that it gets when it runs on
    struct thread_list* port;       // message.c: in which it waits
    uintptr_t buffer;               // message.c: where it wants it
    uint32_t words, data[MESSAGE_WORDS];  // message.c: the message that it has sent, or the answer
    struct trap_frame frame;
    struct context kept;  // of one that is preempted
};

struct thread_list {
    struct kernel_thread *head, *tail;  // empty if head is NULL
};
static inline void list_put(struct thread_list* list, struct kernel_thread* thread) {
    thread->next = NULL;
    if (list->head == NULL)
        list->head = thread;
    else
        list->tail->next = thread;
    list->tail = thread;
}
static inline struct kernel_thread* list_take(struct thread_list* list) {
    struct kernel_thread* thread = list->head;
    if (thread != NULL) list->head = thread->next;
    return thread;
}

static inline void list_remove(struct thread_list* list, const struct kernel_thread* thread) {
    struct thread_list kept = {NULL, NULL};
    for (struct kernel_thread* one; (one = list_take(list)) != NULL;)
        if (one != thread) list_put(&kept, one);
    *list = kept;
}

// schedule.c
extern struct spinlock scheduler;
void make_ready(struct kernel_thread* thread);  // under the lock
// The current thread stops, with its frame as it is; under the lock.
void stop_thread(struct kernel_thread* self, const struct trap_frame* frame);
// These run another thread, and are called under the lock, which they release.
void run_next(struct trap_frame* frame);  // the next ready thread, or waits for one
void run_thread(struct trap_frame* frame, struct kernel_thread* thread);  // which is in no list
void block_thread(struct trap_frame* frame);  // the current one, until somebody makes it ready
void thread_preempt(struct trap_frame* frame);  // if another one is ready
// The current thread's space has changed, or ended: then it goes on where it came from, if at all.
void thread_moved(struct trap_frame* frame);
void end_thread(struct trap_frame* frame, struct kernel_thread* thread);  // that runs here

// threads.c
void threads_serve(struct trap_frame* frame);
int thread_fork(struct user_space* space, uint32_t entry, uint32_t function, uint32_t argument);
void thread_exit(struct trap_frame* frame);
void thread_join(struct trap_frame* frame, int id);
void thread_yield(struct trap_frame* frame);
void thread_block(struct trap_frame* frame);
int thread_signal(int id);
int thread_id(const struct kernel_thread* thread);
void threads_space_ended(const struct user_space* space);
// Under the lock: the thread ends; it waits no longer, for whatever it does.
void thread_free(struct kernel_thread* thread);
void thread_give_up(struct kernel_thread* thread);
extern struct kernel_thread kernel_threads[];
extern unsigned kernel_threads_made;
