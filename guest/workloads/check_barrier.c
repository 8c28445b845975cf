// SPDX-License-Identifier: MIT

// A barrier to be checked by `symlab check`: all processors pass it a few times.
//
// Arguments   episodes  default 2
//             barrier   if given, must be the barrier this image is built with
// Checks      a processor that leaves finds that all others have arrived, and that none has arrived
//             twice since

#include "barrier.h"
#include "string.h"
#include "symsim.h"

#define TIMED_REGION 1

static struct barrier meeting;
static struct { LINE_ALIGNED volatile unsigned episode; } arrived[MAX_PROCESSORS];

static struct { LINE_ALIGNED unsigned episodes; } plan;  // written by processor 0 at set-up

static void run(unsigned cpu, void* unused) {
    (void)unused;
    const unsigned episodes = plan.episodes, count = processors();
    struct barrier_slot slot = BARRIER_SLOT(cpu);

    barrier();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    for (unsigned episode = 1; episode <= episodes; episode++) {
        arrived[cpu].episode = episode;
        barrier_wait(&meeting, &slot);
        for (unsigned i = 0; i < count; i++) {
            const unsigned other = arrived[i].episode;
            if (other != episode && other != episode + 1)
                panic("processor %u left episode %u, %u is in %u", cpu, episode, i, other);
        }
    }
    PROBE(PROBE_REGION_END, TIMED_REGION);
}

int main(void) {
    plan.episodes = arg_unsigned("episodes", 2);
    if (plan.episodes == 0) panic("episodes must be at least 1");
    if (strcmp(arg_string("barrier", BARRIER_NAME), BARRIER_NAME) != 0)
        panic("this image has barrier %s, not %s", BARRIER_NAME, arg_string("barrier", ""));
    (barrier_setup)(&meeting, processors());  // a new barrier need not be cleared
    run_on_all(run, NULL);
    return 0;
}
