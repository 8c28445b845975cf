// SPDX-License-Identifier: MIT

// The client's side: send a call, wait, receive the answer.

#include "channel.h"
#include "probes.h"
#include "symsim.h"
#include "threads/lists.h"

int threads_idle(const struct thread_event* event);  // threads/spaces.h

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
    if (!urpc_end_lock_try(&end->lock)) return false;
    const unsigned count = end->count, slot = count % URPC_SLOTS;
    if (channel->waiting[slot] != NULL || channel->failed) {
        urpc_end_lock_leave(&end->lock);
        return false;
    }
    struct urpc_message* message = &end->slots[slot];
    message->procedure = procedure;
    message->words = (int)words;
    for (unsigned word = 0; word < words; word++) message->data[word] = argument[word];
    channel->waiting[slot] = call;
    end->count = count + 1;
    compiler_barrier();
    message->number = urpc_number(count);  // ordering.h rule 2
    urpc_end_lock_leave(&end->lock);
    PROBE(PROBE_CALL_SENT, message);
    return true;
}

// The lock `send` did not get is free soon; a slot is free when a call is answered. Who frees a
// slot looks at `waited_for` after it, and here it is the other way round (ordering.h rule 4).
static void wait_for_slot(struct urpc_channel* channel) {
    acquire(channel);
    channel->waited_for = true;
    stores_before_loads();
    if (channel->waiting[channel->calls.count % URPC_SLOTS] == NULL || channel->failed) {
        release(channel);
        thread_yield();
    } else {
        queue_put(&channel->waiters, thread_self());
        thread_block(&channel->lock);
    }
}

// While no other thread can run and no space needs the processor, the caller stays on its stack.
static inline void wait_for_answer(struct urpc_waiting* call) {
    if (urpc_loaded) threads_idle(&call->done);
    thread_event_wait(&call->done);
}

URPC_CALL int urpc_call(struct urpc_channel* channel, unsigned procedure, const unsigned* argument,
                        unsigned words, unsigned* result, unsigned most) {
    if (channel == NULL || words > URPC_WORDS) return URPC_FAILED;
    PROBE(PROBE_CALL_BEGIN, channel);
    struct urpc_waiting call;
    call.result = result;
    call.most = most;
    call.done.state = EVENT_OPEN;
    while (!send(channel, &call, procedure, argument, words)) {
        if (channel->failed) return URPC_FAILED;
        wait_for_slot(channel);
    }
    wait_for_answer(&call);
    PROBE(PROBE_CALL_END, channel);
    return call.words;
}

int urpc_call_for(struct urpc_channel* channel, unsigned procedure, const unsigned* argument,
                  unsigned words, unsigned* result, unsigned most, unsigned timeout_us) {
    if (channel == NULL || words > URPC_WORDS) return URPC_FAILED;
    PROBE(PROBE_CALL_BEGIN, channel);
    struct urpc_waiting call = {.result = result, .most = most, .done = {EVENT_OPEN, NULL}};
    struct urpc_timer timer;
    urpc_timer_set(&timer, channel, &call, timeout_us);
    bool sent;
    while (!(sent = send(channel, &call, procedure, argument, words)) && !channel->failed &&
           !urpc_timer_passed(&timer))
        wait_for_slot(channel);
    if (sent) wait_for_answer(&call);
    urpc_timer_drop(&timer);
    PROBE(PROBE_CALL_END, channel);
    return sent ? call.words : URPC_FAILED;
}

// A caller that has not blocked may return as soon as its call is done.
static inline void complete(struct urpc_channel* channel, unsigned slot, int words) {
    struct urpc_waiting* call = channel->waiting[slot];
    call->words = words;
    channel->waiting[slot] = NULL;
    thread_event_post(&call->done);
    if (channel->waited_for) urpc_wake_waiters(channel);
}

// Copies the result; returns its length, or URPC_FAILED if it has none or too much.
static inline int copy_result(const struct urpc_message* message, const struct urpc_waiting* call) {
    const int words = message->words;
    if (words < 0 || (unsigned)words > call->most || words > URPC_WORDS) return URPC_FAILED;
    for (int i = 0; i < words; i++) call->result[i] = message->data[i];
    return words;
}

// Is the number that of the last call in its slot, one of the last URPC_SLOTS calls?
static inline bool current(const struct urpc_channel* channel, unsigned number) {
    return urpc_number(channel->calls.count) - number - 1 < 2 * URPC_SLOTS;
}

// An answer that no call waits for is ignored. `waiting` changes from a call to NULL only here,
// under the lock of this end.
THREADS_FUNCTION URPC_CALL void urpc_receive_answer(struct urpc_end* end) {
    struct urpc_channel* channel =
        (struct urpc_channel*)((char*)end - offsetof(struct urpc_channel, answers));
    if (!urpc_end_lock_try(&end->lock)) return;
    struct urpc_message* message = urpc_slot(end);
    const unsigned number = message->number;
    if (number == 0) {
        urpc_end_lock_leave(&end->lock);
        return;
    }
    PROBE(PROBE_ANSWER_RECEIVED, message);
    const unsigned slot = urpc_slot_of(number);
    const struct urpc_waiting* call = channel->waiting[slot];
    const bool known = call != NULL && current(channel, number);
    const int words = known ? copy_result(message, call) : 0;
    compiler_barrier();
    message->number = 0;
    end->count++;
    PROBE(PROBE_ANSWER_DISPATCH, slot);
    if (known) complete(channel, slot, words);
    urpc_end_lock_leave(&end->lock);
}

void urpc_fail(struct urpc_channel* channel) {
    if (!urpc_end_lock_try(&channel->answers.lock)) return;
    channel->failed = true;
    compiler_barrier();  // a call that `send` has begun before is seen here, or in the next round
    for (unsigned slot = 0; slot < URPC_SLOTS; slot++)
        if (channel->waiting[slot] != NULL) complete(channel, slot, URPC_FAILED);
    urpc_end_lock_leave(&channel->answers.lock);
    urpc_wake_waiters(channel);
}
