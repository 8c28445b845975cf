// SPDX-License-Identifier: MIT
#pragma once

// Signals. One of each number can be pending for a thread, and one for a process; of those for real
// time (SIGNAL_QUEUED and above) many, each with its value.

#include <stdbool.h>
#include <stdint.h>

#include "interrupts.h"
#include "kernel/shared/list.h"

struct thread;
struct process;

#define SIGNALS 64
#define SIGNAL_QUEUED 32
enum {
    SIGILL = 4,
    SIGTRAP = 5,
    SIGBUS = 7,
    SIGFPE = 8,
    SIGKILL = 9,
    SIGSEGV = 11,
    SIGPIPE = 13,
    SIGALRM = 14,
    SIGCHLD = 17,
    SIGCONT = 18,
    SIGSTOP = 19,
    SIGTSTP = 20,
    SIGTTIN = 21,
    SIGTTOU = 22,
    SIGURG = 23,
    SIGVTALRM = 26,
    SIGPROF = 27,
    SIGWINCH = 28,
};

// si_code: who has sent it.
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_TIMER (-2)
#define SI_TKILL (-6)

// What Linux's siginfo_t has; the rest of its 128 bytes is 0.
struct signal_information {
    int32_t signal, error, code;
    uint32_t value[3];  // the sender's number, user, and value or status; or an address
};

// Linux's struct sigaction.
struct action {
    uint32_t handler, flags, restorer;
    uint32_t mask[2];
};
#define SIG_DFL 0
#define SIG_IGN 1
#define SA_NOCLDSTOP 1u
#define SA_NOCLDWAIT 2u
#define SA_SIGINFO 4u
#define SA_RESTORER 0x4000000u
#define SA_ONSTACK 0x8000000u
#define SA_RESTART 0x10000000u
#define SA_NODEFER 0x40000000u
#define SA_RESETHAND 0x80000000u

struct pending {
    volatile uint64_t set;
    struct list list;
    unsigned count;  // in the list
};

static inline uint64_t signal_bit(int signal) {
    return 1ull << (signal - 1);
}
static inline int lowest_signal(uint64_t set) {
    const uint32_t lower = (uint32_t)set;
    return lower != 0 ? 1 + __builtin_ctz(lower) : 33 + __builtin_ctz((uint32_t)(set >> 32));
}
#define UNBLOCKABLE (1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1))
#define STOPS \
    (1ull << (SIGSTOP - 1) | 1ull << (SIGTSTP - 1) | 1ull << (SIGTTIN - 1) | 1ull << (SIGTTOU - 1))

// A call that was interrupted, and is made again if the action says so. No program sees it.
#define ERESTART 512

// signals.c
// 0; -EAGAIN: it is one with a value, and too many are pending.
int signal_thread(struct thread* thread, const struct signal_information* information);
int signal_process(struct process* process, const struct signal_information* information);
// An exception of the current thread: a signal that it can neither block nor ignore.
void signal_exception(int signal, int code, uint32_t address);
bool signal_waits(const struct thread* thread);  // one that it does not block
// Takes a pending signal of the set; false if there is none.
bool signal_take(uint64_t set, struct signal_information* information);
void signals_drop(struct pending* pending, uint64_t set);
// Stops with the process, and drops what is ignored. True if a signal is left for ring 3, or ends
// the process: a call that sleeps returns. Call without a lock.
bool signal_interrupts(void);
// A call with a mask of its own: until its result, if that is -EINTR, has found a handler.
int mask_begin(uintptr_t mask, uint32_t bytes);
void mask_end(int result);

// pending.c: call these with the lock of the process
int pending_add(struct pending* pending, const struct signal_information* information);
bool pending_take(struct pending* pending, uint64_t set, struct signal_information* taken);

// signal_frame.c: 0, or -EFAULT if there is no stack
int signal_enter(struct trap_frame* frame, const struct signal_information* information,
                 const struct action* action, uint64_t blocked);
