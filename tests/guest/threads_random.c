// SPDX-License-Identifier: MIT

// Threads that execute random operations, for every strategy: no thread is lost or runs twice, no
// two share a stack, and no wait lasts for ever. At the end all control blocks and stacks are in
// the free lists. No processor's list is longer, and none uses the pool more often, than ALL
// section 3.3 allows. The package is built with its own checks (THREADS_CHECKED), also of each list
// (COUNT_LISTS).
//
// Each thread has a range of numbers: the first is its own, the others it passes to the threads it
// creates. Between operations it checks that the values it has put on its stack are unchanged.
//
// Arguments  threads     per round; default 100
//            operations  per thread; default 6
//            rounds      each begins with the free lists that the last one left; default 2
// Results    operations  executed, including the creation of threads

#include "cpu.h"
#include "stdlib.h"
#include "test.h"
#include "threads.h"

#ifndef LOCAL_BLOCKS_MOST                     // free blocks of a processor
#define LOCAL_BLOCKS_MOST (processors() + 1)  // local_lists.h
#endif
#define CHILDREN_MOST 4
#define SEATS 3
#define WORDS 12  // on the stack of each thread, checked between operations

struct range {
    unsigned first, end;
    unsigned mark;  // a function of both: shows that the copy arrived unchanged
};

// A blocked thread; the entry is on that thread's stack.
struct waiter {
    struct thread* thread;
    struct waiter* next;
};

static unsigned* ran;  // how often each thread has run, by number
static struct { LINE_ALIGNED volatile unsigned threads; } to_finish;
static struct {
    LINE_ALIGNED volatile unsigned operations;
} done;  // operations executed in all rounds
static unsigned operations;

static struct lock waiters_lock = LOCK_INIT;
static struct { LINE_ALIGNED struct waiter* first; } waiters;

static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static struct thread_condition some_tokens = THREAD_CONDITION_INIT(&mutex);
static struct {
    LINE_ALIGNED volatile unsigned up, down;
    volatile unsigned tokens, put, taken;
} guarded;

static struct thread_semaphore seats = THREAD_SEMAPHORE_INIT(SEATS);
static struct { LINE_ALIGNED volatile unsigned threads; } seated;

static unsigned mark_of(struct range range) {
    return range.first * 2654435761u ^ range.end;
}

// Wakes the last waiter if `signal` is set and there is one, else blocks as a waiter.
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

// Other threads run between the two stores; the mutex must keep them out of the section.
static void under_mutex(void) {
    thread_mutex_lock(&mutex);
    unsigned before = guarded.up;
    CHECK_EQUAL(before, guarded.down);
    guarded.up = before + 1;
    if (before % 4 == 0) thread_yield();
    guarded.down = before + 1;
    thread_mutex_unlock(&mutex);
}

static void put_token(void) {
    thread_mutex_lock(&mutex);
    guarded.tokens = guarded.tokens + 1;
    guarded.put = guarded.put + 1;
    thread_condition_signal(&some_tokens);
    thread_mutex_unlock(&mutex);
}

static void take_token(void) {
    thread_mutex_lock(&mutex);
    while (guarded.tokens == 0) thread_condition_wait(&some_tokens);
    guarded.tokens = guarded.tokens - 1;
    guarded.taken = guarded.taken + 1;
    thread_mutex_unlock(&mutex);
}

static void add(volatile unsigned* to, int number) {
    __asm__ volatile("lock addl %1, %0" : "+m"(*to) : "ir"(number) : "memory", "cc");
}

static void sit(void) {
    thread_semaphore_wait(&seats);
    add(&seated.threads, 1);
    CHECK(seated.threads <= SEATS);
    thread_yield();
    CHECK(seated.threads <= SEATS);
    add(&seated.threads, -1);
    thread_semaphore_post(&seats);
}

static void answer(void* question) {
    volatile unsigned* words = question;
    words[1] = ~words[0];
}

// The answering thread writes to the stack of the asking thread.
static void ask(void) {
    volatile unsigned words[2] = {random_next(), 0};
    struct thread_task task;
    thread_fork(&task, answer, (void*)words);
    thread_join(&task);
    CHECK_EQUAL(words[1], ~words[0]);
}

static void operation(void) {
    switch (random_below(8)) {
        case 0:
            thread_yield();
            break;
        case 1:
            under_mutex();
            break;
        case 2:
            wait_or_signal(random_below(3) != 0);
            break;
        case 3:
            sit();
            break;
        case 4:
            ask();
            break;
        case 5:
            put_token();
            break;
        case 6:
            take_token();
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
        for (unsigned word = 0; word < WORDS; word++) CHECK(on_stack[word] == range.first + word);
    }
    add(&done.operations, operations + 1);
    add(&to_finish.threads, -1);
}

// Wakes the threads that are still waiting, until all have finished.
static void first_thread(void* threads) {
    create(0, *(const unsigned*)threads);
    while (to_finish.threads != 0) {
        wait_or_signal(true);
        put_token();
        thread_yield();
    }
}

static void check_lists(void) {
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    CHECK_EQUAL(counts.stacks_free, counts.stacks_made);
    CHECK(counts.local_blocks_most <= LOCAL_BLOCKS_MOST);
}

int main(void) {
    unsigned threads = arg_unsigned("threads", 100);
    unsigned rounds = arg_unsigned("rounds", 2);
    operations = arg_unsigned("operations", 6);
    ran = calloc(threads, sizeof *ran);
    CHECK(ran != NULL);
    for (unsigned round = 1; round <= rounds; round++) {
        to_finish.threads = threads;
        threads_run(first_thread, &threads);
        for (unsigned i = 0; i < threads; i++) CHECK_EQUAL(ran[i], round);
        CHECK_EQUAL(guarded.up, guarded.down);
        CHECK_EQUAL(guarded.put, guarded.taken + guarded.tokens);
        CHECK_EQUAL(seated.threads, 0);
        check_lists();
    }
    report("operations", done.operations);
    return 0;
}
