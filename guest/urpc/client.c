// SPDX-License-Identifier: MIT

// The client's side: send a call, wait, receive the answer.

#include "channel.h"
#include "symsim.h"
#include "threads/lists.h"

bool threads_ready(void);  // threads/spaces.h

static void acquire(struct urpc_channel* channel) {
    lock_acquire(&channel->lock, thread_lock_slot());
}
static void release(struct urpc_channel* channel) {
    lock_release(&channel->lock, thread_lock_slot());
}

// False if another processor is sending, or if the slot's last call is not answered yet.
static THREADS_FUNCTION bool send(struct urpc_channel* channel, struct urpc_waiting* call,
                                  unsigned procedure, const unsigned* argument, unsigned words) {
    struct urpc_end* end = &channel->calls;
    if (!urpc_end_try(end)) return false;
    const unsigned i = end->next;
    if (channel->waiting[i] != NULL || channel->failed) {
        urpc_end_leave(end);
        return false;
    }
    struct urpc_message* message = urpc_slot(end);
    message->ticket = channel->tickets[i] += URPC_SLOTS;
    message->what = (int)procedure;
    message->words = words;
    for (unsigned word = 0; word < words; word++) message->data[word] = argument[word];
    channel->waiting[i] = call;
    compiler_barrier();
    message->full = 1;  // ordering.h rule 2
    urpc_advance(end);
    urpc_end_leave(end);
    return true;
}

// The lock `send` did not get is free soon; a slot is free when a call is answered.
static void wait_for_slot(struct urpc_channel* channel) {
    acquire(channel);
    if (channel->waiting[channel->calls.next] == NULL || channel->failed) {
        release(channel);
        thread_yield();
    } else {
        queue_put(&channel->waiters, thread_self());
        thread_block(&channel->lock);
    }
}

// While no other thread can run and no space needs the processor, the caller polls by itself: it
// does not leave its stack.
static IDLE_FUNCTION void wait_loaded(const struct urpc_waiting* call) {
    while (!call->done && !threads_ready())
        if (!urpc_poll() && urpc_needy() != NO_SPACE) return;
}

static void wait_for_answer(struct urpc_channel* channel, struct urpc_waiting* call) {
    if (urpc_loaded) wait_loaded(call);
    if (call->done) return;
    acquire(channel);
    if (call->done) {
        release(channel);
        return;
    }
    call->thread = thread_self();
    thread_block(&channel->lock);
}

int urpc_call(struct urpc_channel* channel, unsigned procedure, const unsigned* argument,
              unsigned words, unsigned* result, unsigned most) {
    if (channel == NULL || words > URPC_WORDS) return URPC_FAILED;
    struct urpc_waiting call = {.result = result, .most = most};
    while (!send(channel, &call, procedure, argument, words)) {
        if (channel->failed) return URPC_FAILED;
        wait_for_slot(channel);
    }
    wait_for_answer(channel, &call);
    return call.words;
}

// The last access to the call: its thread may return as soon as it sees `done`.
static THREADS_FUNCTION void complete(struct urpc_channel* channel, unsigned slot, int words) {
    struct urpc_waiting* call = channel->waiting[slot];
    acquire(channel);
    struct thread* caller = call->thread;
    struct thread* waiter = queue_take(&channel->waiters);
    call->words = words;
    channel->waiting[slot] = NULL;
    compiler_barrier();
    call->done = true;
    release(channel);
    if (caller != NULL) thread_signal(caller);
    if (waiter != NULL) thread_signal(waiter);
}

// Copies the result; returns its length, or URPC_FAILED if it has none or too much.
static int copy_result(const struct urpc_message* message, const struct urpc_waiting* call) {
    const unsigned words = message->words;
    if (message->what < 0 || words > call->most || words > URPC_WORDS) return URPC_FAILED;
    for (unsigned i = 0; i < words; i++) call->result[i] = message->data[i];
    return (int)words;
}

// A ticket that no call waits for is ignored. `waiting` changes from a call to NULL only here,
// under the lock of this end.
THREADS_FUNCTION bool urpc_poll_answers(struct urpc_channel* channel) {
    struct urpc_end* end = &channel->answers;
    if (!urpc_end_try(end)) return false;
    struct urpc_message* message = urpc_slot(end);
    if (!message->full) {
        urpc_end_leave(end);
        return false;
    }
    const unsigned ticket = message->ticket, slot = ticket % URPC_SLOTS;
    const struct urpc_waiting* call = channel->waiting[slot];
    const bool known = call != NULL && channel->tickets[slot] == ticket;
    const int words = known ? copy_result(message, call) : 0;
    compiler_barrier();
    message->full = 0;
    urpc_advance(end);
    if (known) complete(channel, slot, words);
    urpc_end_leave(end);
    return true;
}

void urpc_fail(struct urpc_channel* channel) {
    if (!urpc_end_try(&channel->answers)) return;
    channel->failed = true;
    compiler_barrier();  // a call that `send` has begun before is seen here, or in the next round
    for (unsigned slot = 0; slot < URPC_SLOTS; slot++)
        if (channel->waiting[slot] != NULL) complete(channel, slot, URPC_FAILED);
    urpc_end_leave(&channel->answers);
    acquire(channel);
    struct thread_queue waiters = channel->waiters;
    channel->waiters.head = NULL;
    release(channel);
    for (struct thread* thread; (thread = queue_take(&waiters)) != NULL;)
        thread_signal(thread);
}
