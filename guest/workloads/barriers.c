// SPDX-License-Identifier: MIT

// Time of a barrier episode, as in Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 4: all
// processors repeat the barrier with no work in between.
//
// On a machine without any noise such a loop soon repeats with the same state. The time of an
// episode then depends on the moments at which the processors began, however many episodes follow.
// So the episodes are divided into rounds. Before each round every processor waits for a random
// time, and passes the barrier once before the clock is read.
//
// Arguments   episodes  of all rounds together; default 10000
//             rounds    default 1; at most `episodes`
//             barrier   if given, must be the barrier this image is built with
// Results     elapsed_us, episodes
// Checks      for the last episode: a processor that leaves finds that all have arrived

#include "barrier.h"
#include "locks/turns.h"
#include "string.h"
#include "symsim.h"

#define TIMED_REGION 1

static struct barrier meeting;
static struct { LINE_ALIGNED volatile unsigned episodes; } met[MAX_PROCESSORS];
static uint32_t elapsed_us;

static struct { LINE_ALIGNED unsigned episodes, rounds; } plan;  // written by processor 0 at set-up

#define MOST_DELAY 64  // iterations of delay_turns, 40 us: as long as an episode

static void run(unsigned cpu, void* unused) {
    (void)unused;
    unsigned episodes = plan.episodes, rounds = plan.rounds;
    struct barrier_slot slot = BARRIER_SLOT(cpu);

    for (unsigned round = 0; round < rounds; round++) {
        unsigned left = episodes / rounds + (round < episodes % rounds);
        delay_turns(1 + random_below(MOST_DELAY));
        barrier_wait(&meeting, &slot);  // in the first round, loads code and flags into the caches
        uint32_t start_us = clock_us();
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        do barrier_wait(&meeting, &slot);
        while (--left != 0);
        PROBE(PROBE_REGION_END, TIMED_REGION);
        if (cpu == 0) elapsed_us += clock_us() - start_us;
    }
    met[cpu].episodes = episodes;
    barrier_wait(&meeting, &slot);
    for (unsigned i = 0; i < processors(); i++)
        if (met[i].episodes != episodes) panic("processor %u left before %u came", cpu, i);
}

int main(void) {
    plan.episodes = arg_unsigned("episodes", 10000);
    plan.rounds = arg_unsigned("rounds", 1);
    if (plan.rounds == 0) panic("rounds must be at least 1");
    if (plan.episodes < plan.rounds) panic("episodes must be at least %u", plan.rounds);
    if (strcmp(arg_string("barrier", BARRIER_NAME), BARRIER_NAME) != 0)
        panic("this image has barrier %s, not %s", BARRIER_NAME, arg_string("barrier", ""));
    (barrier_setup)(&meeting, processors());  // a new barrier need not be cleared
    run_on_all(run, NULL);
    report("elapsed_us", elapsed_us);
    report("episodes", plan.episodes);
    return 0;
}
