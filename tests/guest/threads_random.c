// SPDX-License-Identifier: MIT

// Threads that do operations at random, for every strategy: none is lost, none runs twice, no two
// have one stack, and all control blocks and stacks are in the free lists at the end, no more of
// them at one processor than ALL section 3.3 allows (ALL-39).
//
// Each thread has a range of numbers: the first is its own, the rest it gives to threads it
// creates. Between operations it finds on its stack what it has left there.
//
// Arguments: threads, default 400; operations of each, default 6.

#include "cpu.h"
#include "test.h"
#include "threads.h"

#define THREADS_MOST 200000
#define CHILDREN_MOST 4
#define WORDS 40  // left on the stack

struct range {
    unsigned first, end;
    unsigned mark;  // a function of both: the copy arrived as it was
};

// One that has blocked; lies on its own stack.
struct waiter {
    struct thread* thread;
    struct waiter* next;
};

static unsigned char ran[THREADS_MOST];
static LINE_ALIGNED volatile unsigned to_finish;
static unsigned operations;

static struct lock waiters_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct waiter* first; } waiters;

static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static struct { LINE_ALIGNED volatile unsigned up, down; } guarded;

static unsigned mark_of(struct range range) {
    return range.first * 2654435761u ^ range.end;
}

// A quarter of the times somebody who waits goes on.
static void wait_or_signal(bool signal) {
    struct waiter own = {thread_self(), NULL};
    lock_acquire(&waiters_lock, thread_lock_slot());
    struct waiter* waiter = waiters.first;
    if (!signal) {
        own.next = waiter;
        waiters.first = &own;
        thread_block(&waiters_lock);
        return;
    }
    if (waiter != NULL) waiters.first = waiter->next;
    lock_release(&waiters_lock, thread_lock_slot());
    if (waiter != NULL) thread_signal(waiter->thread);
}

// Between the two stores others may come by, if the mutex lets them.
static void under_mutex(void) {
    thread_mutex_lock(&mutex);
    unsigned before = guarded.up;
    CHECK_EQUAL(before, guarded.down);
    guarded.up = before + 1;
    if (before % 4 == 0) thread_yield();
    guarded.down = before + 1;
    thread_mutex_unlock(&mutex);
}

static void operation(void) {
    switch (random_below(4)) {
        case 0:
            thread_yield();
            break;
        case 1:
            under_mutex();
            break;
        case 2:
            wait_or_signal(random_below(3) != 0);
            break;
        default:
            for (unsigned turns = random_below(200); turns > 0; turns--) compiler_barrier();
    }
}

static void numbered(void* argument);

// Splits the range among up to CHILDREN_MOST threads.
static void create(unsigned first, unsigned end) {
    for (unsigned children = 1 + random_below(CHILDREN_MOST); first < end; children--) {
        unsigned count = children <= 1 ? end - first : 1 + random_below(end - first);
        struct range range = {first, first + count, 0};
        range.mark = mark_of(range);
        thread_create_copy(numbered, &range, sizeof range);
        first += count;
    }
}

static void numbered(void* argument) {
    volatile unsigned on_stack[WORDS];
    struct range range = *(const struct range*)argument;
    CHECK_EQUAL(range.mark, mark_of(range));
    ran[range.first]++;
    for (unsigned i = 0; i < WORDS; i++) on_stack[i] = range.first + i;
    unsigned splits_at = random_below(operations + 1);
    for (unsigned i = 0; i <= operations; i++) {
        if (i == splits_at)
            create(range.first + 1, range.end);
        else
            operation();
        for (unsigned word = 0; word < WORDS; word++)
            CHECK_EQUAL(on_stack[word], range.first + word);
    }
    __asm__ volatile("lock decl %0" : "+m"(to_finish) : : "memory", "cc");
}

// Lets go on who is still waiting, until all have finished.
static void first_thread(void* threads) {
    create(0, *(const unsigned*)threads);
    while (to_finish != 0) {
        wait_or_signal(true);
        thread_yield();
    }
}

static void check_lists(void) {
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    CHECK_EQUAL(counts.stacks_free, counts.stacks_made);
    CHECK(counts.local_blocks_most <= processors() + 1);
}

int main(void) {
    unsigned threads = arg_unsigned("threads", 400);
    operations = arg_unsigned("operations", 6);
    CHECK(threads <= THREADS_MOST);
    to_finish = threads;
    threads_run(first_thread, &threads);
    for (unsigned i = 0; i < threads; i++) CHECK_EQUAL(ran[i], 1);
    CHECK_EQUAL(guarded.up, guarded.down);
    check_lists();

    // Once more, with what is in the lists.
    unsigned few = 20;
    to_finish = few;
    threads_run(first_thread, &few);
    for (unsigned i = 0; i < threads; i++) CHECK_EQUAL(ran[i], i < few ? 2 : 1);
    check_lists();
    report("threads", threads);
    return 0;
}
