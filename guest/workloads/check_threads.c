// SPDX-License-Identifier: MIT

// A thread strategy to be checked by `symlab check`. A thread on each processor creates a few
// children, which pass a mutex and finish.
//
// Arguments   children  of each processor; default 1
//             mutex     0: a child only counts itself; default 1: under a mutex
//             meet      1: processor 0 creates a child for each of the others, and does the work of
//                           one itself. Each waits until all have started, so that no processor
//                           may stay idle. Not for unlocked-queues; default 0
//             early     1: the first thread finishes at the start, so processors stop while threads
//                       are still created; default 0: the last child wakes it
//             strategy  if given, must be what this image is built with
// Checks      each child has run exactly once; all control blocks and stacks are free at the end
//
// The region has no end: what the processors do until they stop belongs to the check.

#include "checked.h"
#include "cpu.h"
#include "image_argument.h"
#include "threads.h"
#include "workload.h"

#define MOST_CHILDREN 8  // of a processor

static struct {
    LINE_ALIGNED unsigned children, mutex, meet, early;
} plan;  // written before threads run

static volatile unsigned char ran[MAX_PROCESSORS * MOST_CHILDREN];  // indexed by child

static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static volatile unsigned left;  // children to finish; under the mutex

// The first thread blocks here.
static struct lock end_lock = LOCK_INIT;
static struct thread* waits_for_end;
CHECKED_GUARDED(end_lock, waits_for_end);

static void wake_first(void) {
    lock_acquire(&end_lock, thread_lock_slot());
    thread_signal(waits_for_end);
    lock_release(&end_lock, thread_lock_slot());
}

static void meet_all(void) {
    for (unsigned i = 0; i < processors(); i++)
        while (ran[i] == 0) {
        }
}

static void child(void* number) {
    const unsigned own = (uintptr_t)number;
    ran[own] = ran[own] + 1;
    if (plan.meet) meet_all();
    if (!plan.mutex) return;
    thread_mutex_lock(&mutex);
    const unsigned others = left - 1;
    left = others;
    thread_mutex_unlock(&mutex);
    if (others == 0 && !plan.early) wake_first();
}

// One on each processor: none leaves the barrier before all have come.
static void parent(void* unused) {
    (void)unused;
    const unsigned cpu = read_register(BOARD_PROCESSOR), children = plan.children;
    barrier();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    if (cpu == 0 && plan.early) wake_first();
    if (!plan.meet) {
        for (unsigned i = 0; i < children; i++) thread_create(child, (void*)(cpu * children + i));
    } else if (cpu == 0) {
        for (unsigned i = 1; i < processors(); i++) thread_create(child, (void*)i);
        child(0);
    }
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < processors(); i++) thread_create(parent, NULL);
    lock_acquire(&end_lock, thread_lock_slot());
    waits_for_end = thread_self();
    thread_block(&end_lock);
}

static bool check(void) {
    for (unsigned i = 0; i < plan.children * processors(); i++)
        if (ran[i] != 1) {
            printf("child %u ran %u times\n", i, ran[i]);
            return false;
        }
    const struct thread_counts counts = threads_count();
    if (counts.blocks_free == counts.blocks_made && counts.stacks_free == counts.stacks_made)
        return true;
    printf("%u of %u control blocks are free, %u of %u stacks\n", counts.blocks_free,
           counts.blocks_made, counts.stacks_free, counts.stacks_made);
    return false;
}

int main(void) {
    check_strategy_argument();
    plan.children = arg_unsigned("children", 1);
    plan.mutex = arg_unsigned("mutex", 1);
    plan.meet = arg_unsigned("meet", 0);
    plan.early = arg_unsigned("early", 0);
    if (plan.children == 0 || plan.children > MOST_CHILDREN)
        panic("children must be 1 to %u", MOST_CHILDREN);
    if (!plan.mutex && !plan.early) panic("mutex = 0 needs early = 1: nobody counts the children");
    if (plan.meet && plan.children != 1) panic("meet = 1 needs children = 1");
    left = plan.children * processors();
    threads_run(first_thread, NULL);
    return check() ? 0 : 1;
}
