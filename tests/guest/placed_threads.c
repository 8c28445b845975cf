// SPDX-License-Identifier: MIT

// Places of threads and balancing, with the strategy memory-conscious: a thread runs at its place
// if the processor there is free, and comes back to where it ran. No processor idles beside threads
// of others, be they startable or just woken. Threads for processors that have stopped are not
// lost.

#include "cpu.h"
#include "test.h"
#include "thread_place.h"
#include "threads.h"

#define THREADS_EACH 5
#define LONG_US 3000  // of work: a processor with no work takes threads of others much earlier

static struct thread_semaphore done, go;
static struct { LINE_ALIGNED volatile unsigned threads; } ran_on[MAX_PROCESSORS];
static struct { LINE_ALIGNED volatile unsigned threads; } come;

static unsigned here(void) {
    return read_register(BOARD_PROCESSOR);
}

static void add(volatile unsigned* to) {
    __asm__ volatile("lock incl %0" : "+m"(*to) : : "memory", "cc");
}

static void work_us(unsigned us) {
    const uint32_t start_us = clock_us();
    while (clock_us() - start_us < us) {
    }
}

static void count_here(void) {
    add(&ran_on[here()].threads);
}

static void forget(void) {
    for (unsigned i = 0; i < processors(); i++) ran_on[i].threads = 0;
    come.threads = 0;
}

static void wait_for_threads(unsigned count) {
    for (unsigned i = 0; i < count; i++) thread_semaphore_wait(&done);
}

// ---- a place ----

static void runs_at(void* place) {
    CHECK_EQUAL(here(), (unsigned)place);
    thread_yield();
    CHECK_EQUAL(here(), (unsigned)place);
    count_here();
    thread_semaphore_post(&done);
}

static void runs_anywhere(void* unused) {
    (void)unused;
    thread_semaphore_post(&done);
}

// One at a time, so that the processor is free, and not on this one, which is busy.
static void check_places(void) {
    forget();
    for (unsigned i = 0; i < processors(); i++) {
        if (i == here()) continue;
        thread_create_at(runs_at, (void*)i, thread_on_processor(i));
        thread_semaphore_wait(&done);
        CHECK_EQUAL(ran_on[i].threads, 1);
    }
    // No such processor or node: another one.
    thread_create_at(runs_anywhere, NULL, thread_on_processor(3 * MAX_PROCESSORS));
    thread_create_at(runs_anywhere, NULL, thread_on_node(1000));
    thread_create_at(runs_anywhere, NULL, THREAD_ANYWHERE);
    thread_create_at(runs_anywhere, NULL, thread_near(&done));
    wait_for_threads(4);
}

// ---- balancing: all threads are at one processor ----

static void works(void* unused) {
    (void)unused;
    work_us(LONG_US);
    count_here();
    thread_semaphore_post(&done);
}

// Blocks where it has started, and then works.
static void works_when_woken(void* unused) {
    add(&come.threads);
    thread_semaphore_wait(&go);
    works(unused);
}

// This processor may have had none: its own thread, this one, was woken again and again.
static void check_all_have_worked(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < processors(); i++) {
        CHECK(ran_on[i].threads != 0 || i == here());
        sum += ran_on[i].threads;
    }
    CHECK_EQUAL(sum, THREADS_EACH * processors());
}

static void check_balance(thread_function* function, bool wake) {
    forget();
    const unsigned target = processors() - 1, many = THREADS_EACH * processors();
    for (unsigned i = 0; i < many; i++)
        thread_create_at(function, NULL, thread_on_processor(target));
    if (wake) {
        while (come.threads != many) thread_yield();
        for (unsigned i = 0; i < many; i++) thread_semaphore_post(&go);
    }
    wait_for_threads(many);
    check_all_have_worked();
}

// ---- processors that have stopped ----

static void counts_here(void* unused) {
    (void)unused;
    count_here();
}

static void late(void* unused) {
    (void)unused;
    work_us(LONG_US);
    for (unsigned i = 0; i < processors(); i++)
        thread_create_at(counts_here, NULL, thread_on_processor(i));
}

static void first_thread(void* unused) {
    (void)unused;
    if (processors() > 1) check_places();
    check_balance(works, false);
    check_balance(works_when_woken, true);
    forget();
    thread_create_at(late, NULL, thread_on_processor(processors() - 1));
}

int main(void) {
    done = go = (struct thread_semaphore)THREAD_SEMAPHORE_INIT(0);
    threads_run(first_thread, NULL);
    unsigned sum = 0;
    for (unsigned i = 0; i < processors(); i++) sum += ran_on[i].threads;
    CHECK_EQUAL(sum, processors());
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    CHECK_EQUAL(counts.stacks_free, counts.stacks_made);
    return 0;
}
