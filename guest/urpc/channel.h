// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the package: a channel in memory, and what either side keeps for it.
//
// A queue is a ring of message slots. A slot's word `number` is written last by who sends, and
// cleared by who receives; so neither side reads an index or a pointer that the other has written.
// A lock at either end keeps the processors of one space apart. It is in that space's own memory,
// where no other space can hold it, and is tried once: who does not get it continues with other
// work.
//
// A call costs stores above all, each a bus write on a machine with write-through caches: so a word
// serves for what it can.

#include <stdbool.h>
#include <stddef.h>

#include "end_lock.h"
#include "lock.h"
#include "ordering.h"
#include "sections.h"
#include "space.h"
#include "threads.h"
#include "threads/event.h"
#include "urpc.h"

#define URPC_SLOTS 16  // of a queue, and so calls of one client that a server has at a time

struct urpc_message {
    LINE_ALIGNED volatile unsigned number;  // of the call and its answer, odd; 0: the slot is empty
    volatile int words;                     // in an answer also URPC_FAILED
    volatile unsigned procedure;            // in a call
    volatile unsigned data[URPC_WORDS];
};
_Static_assert(sizeof(struct urpc_message) == 64, "whole lines");

// What the two spaces share.
struct urpc_shared {
    struct urpc_message calls[URPC_SLOTS], answers[URPC_SLOTS];
};
#define URPC_PAGES 1
_Static_assert(sizeof(struct urpc_shared) <= URPC_PAGES * 4096, "fits the pages");

// One end of a queue.
struct urpc_end {
    LINE_ALIGNED struct urpc_end_lock lock;
    volatile unsigned count;  // of messages that have been sent or received here
    struct urpc_message* slots;
};

static inline struct urpc_message* urpc_slot(const struct urpc_end* end) {
    return &end->slots[end->count % URPC_SLOTS];
}
// By who sends: has the other side not received the last message?
static inline bool urpc_unread(const struct urpc_end* end) {
    return end->slots[(end->count + URPC_SLOTS - 1) % URPC_SLOTS].number != 0;
}

// A call's number is made of the count of calls before it, so it says in which slot the call is.
static inline unsigned urpc_number(unsigned count) {
    return 2 * count + 1;
}
static inline unsigned urpc_slot_of(unsigned number) {
    return number / 2 % URPC_SLOTS;
}

// ---- the client's side ----
// A call that waits for its answer; on the stack of its thread, which no other space can read.
struct urpc_waiting {
    unsigned* result;
    unsigned most;
    int words;  // of the result, or URPC_FAILED
    struct thread_event done;
};

struct urpc_channel;
// Of a thread that waits for a limited time; on its stack.
struct urpc_timer {
    struct urpc_timer* volatile next;
    struct urpc_channel* channel;
    struct urpc_waiting* call;  // NULL: it waits for the channel
    uint32_t deadline;
};

struct urpc_channel {
    int server;
    const struct space_info* info;
    struct urpc_end calls, answers;
    struct urpc_waiting* volatile waiting[URPC_SLOTS];  // the call in each slot, or NULL
    struct lock lock;                                   // for `waiters`
    struct thread_queue waiters;                        // for a slot, or for the channel
    volatile bool waited_for;                           // there may be waiters
    bool used;                                          // somebody has asked for it
    volatile bool mapped;
    volatile bool failed;  // no further call succeeds
};
extern struct urpc_channel urpc_channels[MAX_SPACES];  // by the server's number

// ---- the server's side ----
struct urpc_service;
// A call that is being served. It is filled when the message is received, from then on only this
// space can change it.
struct urpc_work {
    LINE_ALIGNED volatile unsigned number;  // 0: free
    int words;
    unsigned procedure;
    struct urpc_service* service;
    unsigned data[URPC_WORDS];
};

struct urpc_service {
    int client;
    const struct space_info* info;
    struct urpc_end calls, answers;
    bool used;
    volatile bool mapped;
    struct urpc_work work[URPC_SLOTS];
};
extern struct urpc_service urpc_services[MAX_SPACES];  // by the client's number

// ---- client.c, server.c ----
// Receives the next message at this end, if no other processor is at it, and makes the thread ready
// that it is for.
URPC_CALL void urpc_receive_answer(struct urpc_end* answers);
URPC_CALL void urpc_receive_call(struct urpc_end* calls);
void urpc_fail(struct urpc_channel* channel);  // all its calls

// ---- bind.c ----
void urpc_map_channels(void);  // asks again for the memory of all channels that are not mapped
void urpc_wake_waiters(struct urpc_channel* channel);

// ---- timer.c ----
void urpc_timer_set(struct urpc_timer* timer, struct urpc_channel* channel,
                    struct urpc_waiting* call, unsigned timeout_us);
bool urpc_timer_passed(const struct urpc_timer* timer);
void urpc_timer_drop(struct urpc_timer* timer);
void urpc_expire(void);  // ends the waiting of those whose time has passed

// ---- idle.c ----
// 1: a caller keeps its stack while nothing else can run (argument urpc_loaded, default 1).
extern bool urpc_loaded;
