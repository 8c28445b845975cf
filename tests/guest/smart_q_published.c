// SPDX-License-Identifier: MIT

// The order of steps in WKS Figure 3 loses a process (head of guest/locks/smart-q.h): there the
// releaser writes `failure` into the slot of a preempted process before it compares the tail with
// that slot. A process that runs again in between joins with the same slot and finds itself as its
// predecessor; then the releaser empties the queue.
//
// Two rounds: smart-q.h's order, then the figure's. In both the releaser pauses for a few us at
// that point, as if the timer's interrupt came there, so that a short run finds the case.

#include "locks/smart-q.h"

#include "process.h"
#include "test.h"

#define LOST_US 50000  // a process that waits for so long while the lock is free is lost

static struct lock lock = LOCK_INIT;
static struct lock_slot slots[MAX_PROCESSES];
static volatile unsigned turns_of[MAX_PROCESSES], left;
static volatile bool waiting[MAX_PROCESSES];
static unsigned turns, workers, pause;
static bool as_published;

static void pause_us(unsigned duration) {
    for (uint32_t begin = clock_us(); clock_us() - begin < duration;) {
    }
}

// The first slot behind the releaser's whose process runs, in the order of the figure.
static struct lock_slot* published_candidate(struct lock_slot* candidate) {
    while (candidate != NULL && !smart_give(candidate->self)) {
        struct lock_slot* shadow = candidate;
        candidate = shadow->next;
        shadow->status = FAILURE;
        if (pause != 0) pause_us(random_below(pause));
        if (candidate == NULL && compare_and_swap(&lock.tail, (uintptr_t)shadow, 0)) break;
        while (candidate == NULL) candidate = shadow->next;
    }
    return candidate;
}

static struct lock_slot* candidate_of_smart_q(struct lock_slot* candidate) {
    while (candidate != NULL && !smart_give(candidate->self)) {
        struct lock_slot* preempted = candidate;
        candidate = smart_next(&lock, preempted);
        if (pause != 0) pause_us(random_below(pause));
        preempted->status = FAILURE;
    }
    return candidate;
}

static void release(struct lock_slot* slot) {
    struct lock_slot* candidate = smart_next(&lock, slot);
    candidate = as_published ? published_candidate(candidate) : candidate_of_smart_q(candidate);
    if (candidate != NULL) candidate->status = SUCCESS;
    slot->self->state = PREEMPTABLE;
    if (slot->self->warning) process_yield();
}

static void work(void* unused) {
    (void)unused;
    const int self = process_self();
    for (unsigned i = 0; i < turns; i++) {
        waiting[self] = true;
        lock_acquire(&lock, &slots[self]);
        waiting[self] = false;
        turns_of[self]++;
        release(&slots[self]);
        pause_us(random_below(200));
    }
    turns_of[self]++;
}

// True if some worker waits although nobody has the lock.
static bool somebody_is_lost(int first) {
    for (unsigned i = 0; i < workers; i++) {
        const unsigned before = turns_of[first + i];
        if (lock.tail != 0 || !waiting[first + i]) continue;
        pause_us(LOST_US);
        if (lock.tail == 0 && waiting[first + i] && turns_of[first + i] == before) return true;
    }
    return false;
}

static bool all_done(int first) {
    for (unsigned i = 0; i < workers; i++)
        if (turns_of[first + i] <= turns) return false;
    return true;
}

// True if a process got lost.
static bool round_of(bool published) {
    as_published = published;
    int first = process_spawn(work, NULL, 1);
    for (unsigned i = 1; i < workers; i++)
        process_spawn(work, NULL, (int)(1 + i % (processors() - 1)));
    while (!all_done(first))
        if (somebody_is_lost(first)) return true;
    return false;
}

int main(void) {
    turns = arg_unsigned("turns", 1000);
    pause = arg_unsigned("pause_us", 20);
    workers = 2 * (processors() - 1);
    report("lost_in_order_of_smart_q", round_of(false));
    report("lost_in_order_of_figure", round_of(true));
    return 0;
}
