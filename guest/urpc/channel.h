// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the package: a channel in memory, and what either side keeps for it.
//
// A queue is a ring of message slots. A slot's word `full` is written last by who sends, and
// cleared by who receives; so neither side reads an index or a pointer that the other has written.
// A lock at either end keeps the processors of one space apart. It is in that space's own memory,
// where no other space can hold it, and is tried once: who does not get it goes on with other work.

#include <stdbool.h>
#include <stddef.h>

#include "lock.h"
#include "ordering.h"
#include "sections.h"
#include "space.h"
#include "threads.h"
#include "urpc.h"

#define URPC_SLOTS 16  // of a queue, and so calls of one client that a server has at a time

struct urpc_message {
    LINE_ALIGNED volatile unsigned full;
    volatile unsigned ticket;  // of the call; the answer has the same
    volatile int what;         // the procedure; in an answer 0 or URPC_FAILED
    volatile unsigned words;
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
    LINE_ALIGNED volatile unsigned char taken;
    volatile unsigned next;  // the slot that is sent or received next
    struct urpc_message* slots;
};

static inline struct urpc_message* urpc_slot(const struct urpc_end* end) {
    return &end->slots[end->next];
}
static inline bool urpc_end_try(struct urpc_end* end) {
    return exchange_byte(&end->taken, 1) == 0;
}
static inline void urpc_end_leave(struct urpc_end* end) {
    compiler_barrier();
    end->taken = 0;  // ordering.h rule 2
}
static inline void urpc_advance(struct urpc_end* end) {
    end->next = (end->next + 1) % URPC_SLOTS;
}
// By who sends: has the other side not received the last message?
static inline bool urpc_unread(const struct urpc_end* end) {
    return end->slots[(end->next + URPC_SLOTS - 1) % URPC_SLOTS].full != 0;
}

// ---- the client's side ----
// A call that waits for its answer; on the stack of its thread, which no other space can read.
struct urpc_waiting {
    unsigned* result;
    unsigned most;
    int words;  // of the result, or URPC_FAILED
    volatile bool done;
    struct thread* thread;  // if it has blocked
};

struct urpc_channel {
    int server;
    const struct space_info* info;
    struct urpc_end calls, answers;
    struct urpc_waiting* volatile waiting[URPC_SLOTS];  // in each slot, or NULL
    unsigned tickets[URPC_SLOTS];  // of the last call in each slot: its number modulo URPC_SLOTS
    struct lock lock;              // for `waiters`, and for `done` and `thread` of all calls
    struct thread_queue waiters;   // for a slot, or for the channel
    bool used;                     // somebody has asked for it
    volatile bool mapped;
    volatile bool failed;  // no further call succeeds
};
extern struct urpc_channel urpc_channels[MAX_SPACES];  // by the server's number

// ---- the server's side ----
struct urpc_service;
// A call that is being served. It is filled when the message is received, from then on only this
// space can change it.
struct urpc_work {
    LINE_ALIGNED volatile bool busy;
    struct urpc_service* service;
    unsigned ticket;
    int procedure;
    unsigned words;
    unsigned data[URPC_WORDS];
};

struct urpc_service {
    int client;
    const struct space_info* info;
    struct urpc_end calls, answers;
    volatile unsigned received, answered;  // written under the locks of the two ends
    bool used;
    volatile bool mapped;
    struct urpc_work work[URPC_SLOTS];
};
extern struct urpc_service urpc_services[MAX_SPACES];  // by the client's number

// ---- client.c, server.c: what a processor does that has nothing else to do ----
// Receives the next message, and makes the thread ready that it is for. False if another processor
// is at it.
bool urpc_poll_answers(struct urpc_channel* channel);
bool urpc_poll_calls(struct urpc_service* service);
void urpc_fail(struct urpc_channel* channel);  // all its calls

// ---- bind.c ----
// Asks again for the memory of all channels that are not mapped, if that may have changed.
void urpc_map_channels(void);

// ---- idle.c ----
// 1: a caller keeps its stack while nothing else can run (argument urpc_loaded, default 1).
extern bool urpc_loaded;
bool urpc_poll(void);  // one message of each channel; true if there was any
int urpc_needy(void);  // the space to which this processor should go if it is idle, or NO_SPACE
