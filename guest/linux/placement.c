// SPDX-License-Identifier: MIT

// Which thread runs where: policies by name (guest.scheduler), within each thread's affinity.
//
//   spread      a thread waits in the queue of the processor that ran it last; one without work
//               takes it
//   pinned      a thread stays on one processor, which its number chooses
//   one-queue   all threads wait in one queue

#include "string.h"
#include "symsim.h"
#include "thread.h"

static const char* const policies[] = {"spread", "pinned", "one-queue"};
enum policy { SPREAD, PINNED, ONE_QUEUE, POLICIES };
static enum policy policy;

unsigned thread_queues = ~0u;

void setup_placement(void) {
    const char* name = arg_string("scheduler", policies[SPREAD]);
    while (policy < POLICIES && strcmp(name, policies[policy]) != 0) policy++;
    if (policy == POLICIES)
        panic("guest.scheduler: %s; there are spread, pinned and one-queue", name);
    if (policy == ONE_QUEUE) thread_queues = 0;
}

struct processor_set all_processors(void) {
    struct processor_set all = {{0}};
    for (unsigned i = 0; i < processors(); i++) all.words[i / 32] |= 1u << i % 32;
    return all;
}

bool thread_may_run(const struct task* task, unsigned processor) {
    const struct thread* thread = (const struct thread*)task;
    return thread->affinity.words[processor / 32] >> processor % 32 & 1;
}

// Of the processors that it may run on, number `n`, counted round.
static unsigned choose(const struct task* task, unsigned n) {
    unsigned place = 0;
    for (;; place = place + 1 < processors() ? place + 1 : 0)
        if (thread_may_run(task, place) && n-- == 0) return place;
}

unsigned thread_home(const struct task* task) {
    const unsigned last = (unsigned)task->last;
    return thread_may_run(task, last) ? last : choose(task, 0);
}

void thread_place(struct thread* thread) {
    struct task* task = &thread->task;
    unsigned count = 0;
    for (unsigned i = 0; i < processors(); i++) count += thread_may_run(task, i);
    const bool bound = count == 1 || policy == PINNED;
    const unsigned place = choose(task, (unsigned)(thread->id - FIRST_ID) % count);
    task->bound = bound ? (int)place : UNBOUND;
    if (bound) task->last = (int)place;
}

void leave_processor(void) {
    const struct task* task = this_processor()->current;
    const unsigned here = read_register(BOARD_PROCESSOR);
    const bool bound = task->bound != UNBOUND;
    if (bound ? task->bound != (int)here : !thread_may_run(task, here)) give_up_turn();
}
