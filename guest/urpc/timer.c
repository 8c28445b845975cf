// SPDX-License-Identifier: MIT

// Calls and bindings that are given up after a time. The timers of a space are in a list, which its
// processors look at while they have no thread to run.
//
// A call that is given up keeps its slot until its answer comes, so that the server, which may be
// reading the call, finds no other one in its place. The answer is then for `abandoned`, a call
// that takes no result.

#include "channel.h"
#include "idle.h"
#include "symsim.h"

static struct {
    LINE_ALIGNED volatile unsigned char taken;  // for the list urpc_idle.timers
} timers;

static struct urpc_waiting abandoned = {.most = 0, .done = {EVENT_POSTED, NULL}};

static void acquire(void) {
    while (exchange_byte(&timers.taken, 1) != 0) thread_yield();
}
static void release(void) {
    compiler_barrier();
    timers.taken = 0;  // ordering.h rule 2
}

void urpc_timer_set(struct urpc_timer* timer, struct urpc_channel* channel,
                    struct urpc_waiting* call, unsigned timeout_us) {
    *timer = (struct urpc_timer){NULL, channel, call, clock_us() + timeout_us};
    acquire();
    timer->next = urpc_idle.timers;
    urpc_idle.timers = timer;
    release();
}

bool urpc_timer_passed(const struct urpc_timer* timer) {
    return (int32_t)(clock_us() - timer->deadline) >= 0;
}

void urpc_timer_drop(struct urpc_timer* timer) {
    acquire();
    struct urpc_timer* volatile* link = &urpc_idle.timers;
    while (*link != timer) link = &(*link)->next;
    *link = timer->next;
    release();
}

// `waiting` changes only under the lock at the end of the answers (client.c). Without it the next
// round does it.
static void abandon(struct urpc_channel* channel, struct urpc_waiting* call) {
    if (!urpc_end_lock_try(&channel->answers.lock)) return;
    for (unsigned slot = 0; slot < URPC_SLOTS; slot++) {
        if (channel->waiting[slot] != call) continue;
        channel->waiting[slot] = &abandoned;
        call->words = URPC_FAILED;
        thread_event_post(&call->done);
    }
    urpc_end_lock_leave(&channel->answers.lock);
}

// Who waits for a slot, or for the channel, looks at its timer itself.
void urpc_expire(void) {
    if (exchange_byte(&timers.taken, 1) != 0) return;
    for (const struct urpc_timer* timer = urpc_idle.timers; timer != NULL; timer = timer->next) {
        if (!urpc_timer_passed(timer)) continue;
        if (timer->call != NULL) abandon(timer->channel, timer->call);
        urpc_wake_waiters(timer->channel);
    }
    release();
}
