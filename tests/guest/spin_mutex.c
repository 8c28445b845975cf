// SPDX-License-Identifier: MIT

// The mutex that spins before it blocks (guest/threads/spin_mutex.h): mutual exclusion, the mean,
// and both ways of waiting. A thread that waits for a mutex which is held briefly keeps its
// processor; one that waits for a mutex which is held for long gives it up at once, and also the
// other one if the wait gets longer than a switch.

#include "threads/spin_mutex.h"
#include "cpu.h"
#include "test.h"
#include "threads.h"

#define THREADS 6
#define TURNS 20
#define BRIEF_US 10
#define LONG_US (4 * SPIN_MOST_US)

static struct thread_spin_mutex mutex = THREAD_SPIN_MUTEX_INIT;
static struct { LINE_ALIGNED volatile unsigned inside, count, other_ran_us; } shared;
static struct { LINE_ALIGNED volatile bool owned, waiting, ends; } step;

static void work_us(unsigned us) {
    const uint32_t start_us = clock_us();
    while (clock_us() - start_us < us) {
    }
}

static void hold_for(unsigned us) {
    thread_spin_mutex_lock(&mutex);
    CHECK_EQUAL(shared.inside, 0);
    shared.inside = 1;
    work_us(us);
    shared.count = shared.count + 1;
    shared.inside = 0;
    thread_spin_mutex_unlock(&mutex);
}

static void hold_in_turns(void* us) {
    for (unsigned i = 0; i < TURNS; i++) {
        hold_for((unsigned)us);
        if (i % 3 == 0) thread_yield();
    }
}

static void in_all(thread_function* function, void* argument) {
    struct thread_task tasks[THREADS];
    for (unsigned i = 0; i < THREADS; i++) thread_fork(&tasks[i], function, argument);
    for (unsigned i = 0; i < THREADS; i++) thread_join(&tasks[i]);
}

static void other(void* unused) {
    (void)unused;
    shared.other_ran_us = clock_us();
}

static void owner(void* us) {
    thread_spin_mutex_lock(&mutex);
    step.owned = true;
    while (!step.waiting) {
    }
    work_us((unsigned)us);
    thread_spin_mutex_unlock(&mutex);
    while (!step.ends) {
    }
}

// Waits for the owner, which has the other processor until the end. Returns after which time
// `other`, the only thread that could run here meanwhile, has run: since then this thread was
// blocked. 0: never.
static uint32_t blocks_after_us(uint32_t mean_us, unsigned held_us) {
    struct thread_task owner_task, other_task;
    step.owned = step.waiting = step.ends = false;
    shared.other_ran_us = 0;
    thread_fork(&owner_task, owner, (void*)held_us);
    while (!step.owned) {
    }
    mutex.mean = mean_us << SPIN_MUTEX_FRACTION;
    thread_fork(&other_task, other, NULL);
    step.waiting = true;
    const uint32_t start_us = clock_us();
    thread_spin_mutex_lock(&mutex);
    const uint32_t ran_us = shared.other_ran_us;
    thread_spin_mutex_unlock(&mutex);
    step.ends = true;
    thread_join(&owner_task);
    thread_join(&other_task);
    return ran_us != 0 ? ran_us - start_us : 0;
}

static void first_thread(void* unused) {
    (void)unused;
    in_all(hold_in_turns, (void*)BRIEF_US);
    CHECK_EQUAL(shared.count, THREADS * TURNS);
    CHECK(mutex.mean < SPIN_MOST_US << SPIN_MUTEX_FRACTION);
    in_all(hold_in_turns, (void*)LONG_US);
    CHECK_EQUAL(shared.count, 2 * THREADS * TURNS);
    CHECK(mutex.mean > (LONG_US - SPIN_MOST_US) << SPIN_MUTEX_FRACTION);
    CHECK(!mutex.held);
    if (processors() != 2) return;
    CHECK_EQUAL(blocks_after_us(BRIEF_US, BRIEF_US), 0);  // spins, and gets it in time
    const uint32_t in_vain_us = blocks_after_us(BRIEF_US, LONG_US);
    const uint32_t at_once_us = blocks_after_us(LONG_US, LONG_US);
    CHECK(at_once_us != 0);
    CHECK(in_vain_us >= at_once_us + SPIN_MOST_US / 2);
}

// The mean of a series that does not change is that number, and it forgets an old one: after 16 new
// times less than an eighth of it is left, (7/8)^16 = 0.118.
static void check_mean(void) {
    struct thread_spin_mutex one = THREAD_SPIN_MUTEX_INIT;
    for (unsigned i = 0; i < 100; i++) spin_mutex_age(&one, 80);
    CHECK(one.mean >> SPIN_MUTEX_FRACTION >= 79 && one.mean >> SPIN_MUTEX_FRACTION <= 80);
    for (unsigned i = 0; i < 16; i++) spin_mutex_age(&one, 0);
    CHECK(one.mean >> SPIN_MUTEX_FRACTION < 10);
    CHECK(one.mean > 0);
}

int main(void) {
    check_mean();
    threads_run(first_thread, NULL);
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    return 0;
}
