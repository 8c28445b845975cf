// SPDX-License-Identifier: MIT

// What affinity models know (Steckermeier & Bellosa 1995, section 5): threads come back again and
// again to data of their own, and at each start of one the program logs what the model keeps of all
// that ran on the processor, and how many lines of their data its cache really has
// (affinity_log.h). A barrier ends each round, as in Jacobi's method, so each thread runs once a
// round, in the order that the model chooses.
//
// Patterns of a period:
//   equal      all threads have as much data, and load all of it, line after line: as Jacobi's
//   method unequal    from a quarter to seven quarters of that, all of it in each period random as
//   much data as in `unequal`; a random number of loads from random lines of them scattered  as
//   `unequal`, but a thread's lines are anywhere in memory of SPREAD caches: misses
//              fall on any line of the cache, as the equations assume
// In all but the last the data of a thread are one block, on neighbouring lines of the cache.
//
// Arguments  pattern     default equal
//            threads     of each processor; default 12
//            rounds      after a first one, in which no thread comes back; default 16
//            lines       mean of the threads' data; default 256
//            line_bytes  of the machine's cache; default 32
//            cache_lines of the model reload, and of SPREAD; default 1024
//            affinity    if given, must be what this image is built with
// Console    the log
// Checks     each thread has run once a round

#include "affinity_log.h"
#include "cpu.h"
#include "image_argument.h"
#include "stdlib.h"
#include "thread_place.h"
#include "threads.h"
#include "workload.h"

#define MOST_THREADS 256
#define SPREAD 16             // of 256 lines in 16 caches of 1024, one in 64 is drawn twice
#define STARTS_FOR_OTHERS 64  // of the first thread and those that create, and of barriers

struct worker {
    LINE_ALIGNED const char* data;
    unsigned lines;        // of data
    unsigned range_lines;  // in which they are
    unsigned periods;
    uint32_t seed;  // of where they are, if they are scattered
};

static struct worker workers[MOST_THREADS];
static struct thread_barrier meeting;
static unsigned threads, rounds, line_bytes;  // threads: of each processor
static enum { BLOCK, RANDOM, SCATTERED } loads;

static void load(const struct worker* worker, unsigned line) {
    (void)*(const volatile uint32_t*)&worker->data[line * line_bytes];
}

// From random lines of the range. The numbers stay in registers: random_next() has its state in a
// line of its own.
static void load_some(const struct worker* worker, unsigned count, uint32_t random) {
    for (; count != 0; count--) {
        random = random * 1664525 + 1013904223;  // Press et al., Numerical Recipes in C, 1992, 7.1
        load(worker, (uint64_t)random * worker->range_lines >> 32);
    }
}

static void work_for_a_period(struct worker* worker) {
    worker->periods++;
    if (loads == RANDOM)
        load_some(worker, random_below(2 * worker->lines) + 1, random_next());
    else if (loads == SCATTERED)
        load_some(worker, worker->lines, worker->seed);
    else
        for (unsigned line = 0; line < worker->lines; line++) load(worker, line);
}

static void work(void* argument) {
    const unsigned number = (unsigned)argument;
    struct worker* worker = &workers[number];
    affinity_log_data(number, worker->data, worker->range_lines * line_bytes, worker->lines);
    for (unsigned round = 0; round <= rounds; round++) {
        affinity_log_period(number);
        work_for_a_period(worker);
        thread_barrier_wait(&meeting);
    }
}

static void create_share(void* argument) {
    const unsigned cpu = (unsigned)argument;
    for (unsigned i = 0; i < threads; i++)
        thread_create_at(work, (void*)(cpu * threads + i), thread_on_processor(cpu));
}

static void first_thread(void* unused) {
    (void)unused;
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        thread_create_at(create_share, (void*)cpu, thread_on_processor(cpu));
    for (unsigned round = 0; round <= rounds; round++) thread_barrier_wait(&meeting);
}

// The ranges of the threads one after the other, without a gap, each from a line on.
static void set_up(unsigned mean, bool equal, unsigned cache_lines) {
    const unsigned count = threads * processors();
    const unsigned most = loads == SCATTERED ? SPREAD * cache_lines : 2 * mean;
    char* memory = malloc((count * most + 1) * line_bytes);
    if (memory == NULL) panic("no memory for %u lines", count * most);
    memory += line_bytes - (uintptr_t)memory % line_bytes;
    for (unsigned i = 0; i < count; i++) {
        struct worker* worker = &workers[i];
        worker->lines = equal ? mean : mean / 4 + random_below(mean * 3 / 2) + 1;
        worker->range_lines = loads == SCATTERED ? most : worker->lines;
        worker->data = memory;
        worker->seed = random_next();
        memory += worker->range_lines * line_bytes;
    }
    meeting = (struct thread_barrier)THREAD_BARRIER_INIT(count + 1);
}

int main(void) {
#ifdef SYMSIM_AFFINITY
    check_image_argument("affinity", SYMSIM_AFFINITY);
#endif
    const char* pattern = arg_string("pattern", "equal");
    const bool equal = strcmp(pattern, "equal") == 0;
    if (strcmp(pattern, "random") == 0)
        loads = RANDOM;
    else if (strcmp(pattern, "scattered") == 0)
        loads = SCATTERED;
    else if (!equal && strcmp(pattern, "unequal") != 0)
        panic("pattern %s; there are equal, unequal, random and scattered", pattern);
    threads = arg_unsigned("threads", 12);
    rounds = arg_unsigned("rounds", 16);
    line_bytes = arg_unsigned("line_bytes", 32);
    const unsigned mean = arg_unsigned("lines", 256);
    const unsigned cache_lines = arg_unsigned("cache_lines", 1024);
    const unsigned count = threads * processors();
    if (count == 0 || count > MOST_THREADS || rounds == 0 || mean < 4)
        panic("1 to %u threads in all, rounds at least 1, lines at least 4", MOST_THREADS);
    set_up(mean, equal, cache_lines);
    affinity_log_run((rounds + 2) * (count + STARTS_FOR_OTHERS) * (threads + 4));
    threads_run(first_thread, NULL);
    affinity_log_stop();
    affinity_log_print();
    for (unsigned i = 0; i < count; i++)
        if (workers[i].periods != rounds + 1)
            panic("thread %u has run %u times", i, workers[i].periods);
    return 0;
}
