// SPDX-License-Identifier: MIT

// The synchronisation of threads, for every strategy: mutex, condition, semaphore, barrier and join
// do what threads.h says. Argument: turns, iterations per thread, default 30.

#include "cpu.h"
#include "test.h"
#include "threads.h"

#define THREADS 7

static unsigned turns;

// Runs function(i) in THREADS threads and waits for all.
static void in_all(thread_function* function) {
    struct thread_task tasks[THREADS];
    for (unsigned i = 0; i < THREADS; i++) thread_fork(&tasks[i], function, (void*)i);
    for (unsigned i = 0; i < THREADS; i++) thread_join(&tasks[i]);
}

// ---- mutex: no other thread is in the section, even if its owner yields ----

static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static struct { LINE_ALIGNED volatile unsigned value, inside; } shared;

static void add_in_turns(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned i = 0; i < turns; i++) {
        thread_mutex_lock(&mutex);
        CHECK_EQUAL(shared.inside, 0);
        shared.inside = 1;
        unsigned value = shared.value;
        if ((i + self) % 3 == 0) thread_yield();
        shared.value = value + 1;
        shared.inside = 0;
        thread_mutex_unlock(&mutex);
    }
}

// ---- condition: a buffer with one place, alternately filled and emptied ----

static struct thread_condition filled = THREAD_CONDITION_INIT(&mutex);
static struct thread_condition emptied = THREAD_CONDITION_INIT(&mutex);
static struct { LINE_ALIGNED volatile unsigned value, full, taken, sum; } place;

static void put(unsigned value) {
    thread_mutex_lock(&mutex);
    while (place.full) thread_condition_wait(&emptied);
    place.value = value;
    place.full = 1;
    thread_condition_signal(&filled);
    thread_mutex_unlock(&mutex);
}

static void take(void) {
    thread_mutex_lock(&mutex);
    while (!place.full) thread_condition_wait(&filled);
    place.sum = place.sum + place.value;
    place.full = 0;
    place.taken = place.taken + 1;
    thread_mutex_unlock(&mutex);
    thread_condition_signal(&emptied);  // without holding the mutex
}

// Thread 0 takes all values that the others put.
static void pass_on(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned i = 0; i < turns; i++)
        if (self != 0)
            put(self * turns + i);
        else
            for (unsigned other = 1; other < THREADS; other++) take();
}

// ---- condition: a broadcast wakes all waiters, and none continues before it ----

static struct thread_condition opened = THREAD_CONDITION_INIT(&mutex);
static struct { LINE_ALIGNED volatile unsigned waiting, open, through; } gate;

static void through_gate(void* number) {
    unsigned self = (unsigned)number;
    thread_mutex_lock(&mutex);
    if (self == 0) {
        while (gate.waiting != THREADS - 1) {
            thread_mutex_unlock(&mutex);
            thread_yield();
            thread_mutex_lock(&mutex);
        }
        gate.open = 1;
        thread_condition_broadcast(&opened);
    } else {
        gate.waiting = gate.waiting + 1;
        thread_condition_wait(&opened);
        CHECK_EQUAL(gate.open, 1);
        gate.through = gate.through + 1;
    }
    thread_mutex_unlock(&mutex);
}

// ---- semaphore: admits as many threads as its count; two semaphores alternate two threads ----

static struct thread_semaphore three = THREAD_SEMAPHORE_INIT(3);
static struct thread_semaphore ping = THREAD_SEMAPHORE_INIT(0), pong = THREAD_SEMAPHORE_INIT(0);
static struct { LINE_ALIGNED volatile unsigned inside, most, rallies; } counted;

static void three_at_once(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < turns; i++) {
        thread_semaphore_wait(&three);
        thread_mutex_lock(&mutex);
        counted.inside = counted.inside + 1;
        if (counted.most < counted.inside) counted.most = counted.inside;
        thread_mutex_unlock(&mutex);
        thread_yield();
        thread_mutex_lock(&mutex);
        counted.inside = counted.inside - 1;
        thread_mutex_unlock(&mutex);
        thread_semaphore_post(&three);
    }
}

static void rally(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned i = 0; i < turns && self < 2; i++) {
        if (self == 0) thread_semaphore_post(&ping);
        thread_semaphore_wait(self == 0 ? &pong : &ping);
        CHECK_EQUAL(counted.rallies, 2 * i + (self == 0));
        counted.rallies = counted.rallies + 1;
        if (self == 1) thread_semaphore_post(&pong);
    }
}

// ---- barrier: after it no thread is in an earlier episode, and none two ahead ----

static struct thread_barrier meeting = THREAD_BARRIER_INIT(THREADS);
static struct { LINE_ALIGNED volatile unsigned episode; } come_to[THREADS];

static void meet(void* number) {
    unsigned self = (unsigned)number;
    for (unsigned episode = 1; episode <= turns; episode++) {
        if ((episode + self) % 4 == 0) thread_yield();
        come_to[self].episode = episode;
        thread_barrier_wait(&meeting);
        for (unsigned i = 0; i < THREADS; i++) {
            unsigned other = come_to[i].episode;
            CHECK(other == episode || other == episode + 1);
        }
    }
}

// ---- join: a tree of threads, each of which waits for the thread it has forked ----

struct sum {
    unsigned first, end, result;
};

static void add_up(void* argument) {
    struct sum* sum = argument;
    if (sum->end - sum->first == 1) {
        sum->result = sum->first;
        return;
    }
    unsigned middle = (sum->first + sum->end) / 2;
    struct sum halves[2] = {{sum->first, middle, 0}, {middle, sum->end, 0}};
    struct thread_task task;
    thread_fork(&task, add_up, &halves[0]);
    add_up(&halves[1]);
    thread_join(&task);
    sum->result = halves[0].result + halves[1].result;
}

static void first_thread(void* unused) {
    (void)unused;
    in_all(add_in_turns);
    CHECK_EQUAL(shared.value, THREADS * turns);

    in_all(pass_on);
    CHECK_EQUAL(place.taken, (THREADS - 1) * turns);
    unsigned from = turns, end = THREADS * turns;  // the range of values put
    CHECK_EQUAL(place.sum, (from + end - 1) * (end - from) / 2);

    in_all(through_gate);
    CHECK_EQUAL(gate.through, THREADS - 1);

    in_all(three_at_once);
    CHECK_EQUAL(counted.inside, 0);
    CHECK(counted.most <= 3);
    for (unsigned i = 0; i < 3; i++) thread_semaphore_wait(&three);  // deadlock if below 3
    in_all(rally);
    CHECK_EQUAL(counted.rallies, 2 * turns);

    in_all(meet);
    for (unsigned i = 0; i < THREADS; i++) CHECK_EQUAL(come_to[i].episode, turns);

    struct sum all = {0, 100, 0};
    add_up(&all);
    CHECK_EQUAL(all.result, 4950);
}

int main(void) {
    turns = arg_unsigned("turns", 30);
    threads_run(first_thread, NULL);
    struct thread_counts counts = threads_count();
    CHECK_EQUAL(counts.blocks_free, counts.blocks_made);
    CHECK_EQUAL(counts.stacks_free, counts.stacks_made);
    return 0;
}
