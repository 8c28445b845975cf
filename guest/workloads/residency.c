// SPDX-License-Identifier: MIT

// What affinity models know (Steckermeier & Bellosa 1995, section 5): threads come back again and
// again to data of their own, and at each start of one the program logs what the model keeps of all
// that ran on the processor, and how many lines of their data its cache really has
// (affinity_log.h). A barrier ends each round, as in Jacobi's method, so each thread runs once a
// round, in the order that the model chooses.
//
// Patterns of a period:
//   equal    all threads have as much data, and load all of it, line after line: as Jacobi's method
//   unequal  from a quarter to seven quarters of that, all of it in each period
//   random   as much data as in `unequal`; a random number of loads from random lines of them
//
// Arguments  pattern     default equal
//            threads     of each processor; default 12
//            rounds      after a first one, in which no thread comes back; default 16
//            lines       mean of the threads' data; default 256
//            line_bytes  of the machine's cache; default 32
//            cache_lines of the model reload; others ignore it
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
#define STARTS_FOR_OTHERS 64  // of the first thread and those that create, and of barriers

struct worker {
    LINE_ALIGNED const char* data;
    unsigned lines;
    unsigned periods;
};

static struct worker workers[MOST_THREADS];
static struct thread_barrier meeting;
static unsigned threads, rounds, line_bytes;  // threads: of each processor
static bool random_loads;

static void load(const struct worker* worker, unsigned line) {
    (void)*(const volatile uint32_t*)&worker->data[line * line_bytes];
}

static void work_for_a_period(struct worker* worker) {
    worker->periods++;
    if (!random_loads) {
        for (unsigned line = 0; line < worker->lines; line++) load(worker, line);
        return;
    }
    // Numbers that stay in registers: random_next() has its state in a line of its own.
    uint32_t random = random_next();
    for (unsigned loads = random_below(2 * worker->lines) + 1; loads != 0; loads--) {
        random = random * 1664525 + 1013904223;  // Press et al., Numerical Recipes in C, 1992, 7.1
        load(worker, (uint64_t)random * worker->lines >> 32);
    }
}

static void work(void* argument) {
    const unsigned number = (unsigned)argument;
    struct worker* worker = &workers[number];
    affinity_log_data(number, worker->data, worker->lines * line_bytes);
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

// The data of one thread after those of another, without a gap, each from a line on.
static void set_up(unsigned mean, bool equal) {
    const unsigned count = threads * processors();
    char* memory = malloc((2 * count * mean + 1) * line_bytes);
    if (memory == NULL) panic("no memory for %u lines", 2 * count * mean);
    memory += line_bytes - (uintptr_t)memory % line_bytes;
    for (unsigned i = 0; i < count; i++) {
        workers[i].lines = equal ? mean : mean / 4 + random_below(mean * 3 / 2) + 1;
        workers[i].data = memory;
        memory += workers[i].lines * line_bytes;
    }
    meeting = (struct thread_barrier)THREAD_BARRIER_INIT(count + 1);
}

int main(void) {
#ifdef SYMSIM_AFFINITY
    check_image_argument("affinity", SYMSIM_AFFINITY);
#endif
    const char* pattern = arg_string("pattern", "equal");
    const bool equal = strcmp(pattern, "equal") == 0;
    random_loads = strcmp(pattern, "random") == 0;
    if (!equal && !random_loads && strcmp(pattern, "unequal") != 0)
        panic("pattern %s; there are equal, unequal and random", pattern);
    threads = arg_unsigned("threads", 12);
    rounds = arg_unsigned("rounds", 16);
    line_bytes = arg_unsigned("line_bytes", 32);
    const unsigned mean = arg_unsigned("lines", 256);
    arg_unsigned("cache_lines", 0);  // which the model may ask for, so that all take it
    const unsigned count = threads * processors();
    if (count == 0 || count > MOST_THREADS || rounds == 0 || mean < 4)
        panic("1 to %u threads in all, rounds at least 1, lines at least 4", MOST_THREADS);
    set_up(mean, equal);
    affinity_log_run((rounds + 2) * (count + STARTS_FOR_OTHERS) * (threads + 4));
    threads_run(first_thread, NULL);
    affinity_log_stop();
    affinity_log_print();
    for (unsigned i = 0; i < count; i++)
        if (workers[i].periods != rounds + 1)
            panic("thread %u has run %u times", i, workers[i].periods);
    return 0;
}
