// SPDX-License-Identifier: MIT

// How many queues are examined until a thread is found: ALL Equation 3.1 and Figure 3.5 (claims
// ALL-32 to ALL-34, ALL-36, ALL-37). The search is that of the strategy local-readyq, in a ring of
// as many queues as processors. In each round threads are put into random queues. Then some
// processors start to search in the same microsecond, each at a random queue.
//
// Arguments   runnable   n as in the figure. n < P: 1 thread and P - n searchers. n > P: n - P
//                        threads and 1 searcher. Or instead of `runnable`:
//             threads    put into queues beforehand; default 1
//             searchers  processors that search; default 1
//             arriving   1: another processor adds one more thread during the search
//             rounds     default 1000
// Results     ready, searching  threads and searchers of each round; rounds
// Checks      in each round the searchers have found as many threads as possible, no two of them
//             the same; but a searcher that passed over a busy queue may have found none
//
// The stopwatch `examined` counts at no cost (stopwatch.h). A search is one tour: a searcher that
// finds no thread has examined each queue once. So with one thread for several searchers, the
// finder's count is the total less that of the others.

#include "cpu.h"
#include "locks/turns.h"
#include "stopwatch.h"
#include "workload.h"

static struct stopwatch examined;
#define EXAMINING() STOPWATCH_COUNT(examined)

#include "threads/local_queues.h"

#define THREADS_MOST 64

// From the barrier to the start; by then all have read `start_us`, two read misses each.
#define START_DELAY_US 200

// The arriving thread comes up to this many iterations later, 40 us: a tour of 18 queues.
#define ARRIVAL_TURNS 64

static struct { LINE_ALIGNED volatile uint32_t us; } start;

static struct {
    struct processor processor;
    LINE_ALIGNED struct thread* volatile found;
    bool passed_over;  // a queue, in this round
    uint32_t random;
} own[MAX_PROCESSORS];

static struct thread threads[THREADS_MOST];
static unsigned ready, searchers, arriving, rounds;
static unsigned wrong;

static void fill_queues(void) {
    for (unsigned i = 0; i < processors(); i++)
        while (queue_take(&local_queues[i].ready) != NULL) {
        }
    for (unsigned i = 0; i < ready; i++)
        queue_put(&any_local_queue(&own[0].random)->ready, &threads[i]);
}

static bool found_right(void) {
    unsigned found = 0, passed_over = 0;
    for (unsigned i = 0; i < searchers; i++) {
        if (own[i].found == NULL) {
            passed_over += own[i].passed_over;
            continue;
        }
        found++;
        for (unsigned j = 0; j < i; j++)
            if (own[i].found == own[j].found) return false;
    }
    unsigned most = ready + arriving < searchers ? ready + arriving : searchers;
    unsigned least = ready < searchers ? ready : searchers;
    return found + passed_over >= least && found <= most;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    processor_setup(cpu, &own[cpu].processor, sizeof own[cpu]);
    uint32_t* random = &own[cpu].random;
    *random = random_next();
    for (unsigned i = 0; i < rounds; i++) {
        if (cpu == 0) {
            if (i > 0 && !found_right()) wrong++;
            fill_queues();
            start.us = board_clock_us() + START_DELAY_US;
        }
        struct local_queue* queue = any_local_queue(random);
        barrier();
        if (cpu < searchers) {
            bool passed_over = false;
            wait_until_us(start.us);
            own[cpu].found = local_tour(queue, &passed_over);
            own[cpu].passed_over = passed_over;
        } else if (cpu == searchers && arriving != 0) {
            wait_until_us(start.us);
            delay_turns(1 + number_below(random, ARRIVAL_TURNS));
            local_put(queue, &threads[ready]);
        }
        barrier();
    }
}

int main(void) {
    unsigned runnable = arg_unsigned("runnable", 0), all = processors();
    if (runnable == all) panic("with as many threads as processors nobody searches");
    ready = runnable > all ? runnable - all : arg_unsigned("threads", 1);
    searchers = runnable != 0 && runnable < all ? all - runnable : arg_unsigned("searchers", 1);
    arriving = arg_unsigned("arriving", 0) != 0;
    rounds = arg_unsigned("rounds", 1000);
    if (ready + arriving > THREADS_MOST || searchers + arriving > all)
        panic("at most %u threads and %u searchers", THREADS_MOST, all);
    local_queues_setup(all);
    run_on_all(run, NULL);
    if (!found_right()) wrong++;
    report("ready", ready);
    report("searching", searchers);
    report("rounds", rounds);
    if (wrong != 0) printf("%u rounds found wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
