// SPDX-License-Identifier: MIT

// Time of a barrier episode, as in Mellor-Crummey and Scott, ACM TOCS 9(1), 1991, section 4: all
// processors repeat the barrier with no work in between.
//
// Arguments   episodes  at least 1; default 10000
//             barrier   if given, must be the barrier this image is built with
// Results     elapsed_us, episodes
// Checks      for the last episode: a processor that leaves finds that all have arrived

#include "barrier.h"
#include "string.h"
#include "symsim.h"

#define TIMED_REGION 1

static struct barrier meeting;
static struct { LINE_ALIGNED volatile unsigned episodes; } met[MAX_PROCESSORS];
static uint32_t start_us, end_us;

static void run(unsigned cpu, void* argument) {
    unsigned episodes = *(const unsigned*)argument;
    struct barrier_slot slot = BARRIER_SLOT(cpu);

    barrier_wait(&meeting, &slot);  // loads code and flags into the caches
    if (cpu == 0) start_us = clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    for (unsigned i = 0; i < episodes; i++) barrier_wait(&meeting, &slot);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    if (cpu == 0) end_us = clock_us();
    met[cpu].episodes = episodes;
    barrier_wait(&meeting, &slot);
    for (unsigned i = 0; i < processors(); i++)
        if (met[i].episodes != episodes) panic("processor %u left before %u came", cpu, i);
}

int main(void) {
    unsigned episodes = arg_unsigned("episodes", 10000);
    if (episodes == 0) panic("episodes must be at least 1");
    if (strcmp(arg_string("barrier", BARRIER_NAME), BARRIER_NAME) != 0)
        panic("this image has barrier %s, not %s", BARRIER_NAME, arg_string("barrier", ""));
    (barrier_setup)(&meeting, processors());  // a new barrier need not be cleared
    run_on_all(run, &episodes);
    report("elapsed_us", end_us - start_us);
    report("episodes", episodes);
    return 0;
}
