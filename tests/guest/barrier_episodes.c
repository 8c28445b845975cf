// SPDX-License-Identifier: MIT

// Test of every barrier of guest/barriers, built once for each. Each processor announces the
// episode it has reached and, after the barrier, checks the others: none may be in an earlier
// episode, none more than one ahead. Processors are late at random, by much or by little.
// Argument: episodes, default 300.

#include "barrier.h"
#include "test.h"

#define LATE_TURNS_MOST 400  // loop iterations: some 300 us, longer than 20 processors take to meet

static struct barrier meeting;
static struct { LINE_ALIGNED volatile unsigned episode; } come_to[MAX_PROCESSORS];

static void delay(unsigned turns) {
    while (turns-- > 0) compiler_barrier();
}

static void meet(unsigned cpu, void* argument) {
    unsigned episodes = *(const unsigned*)argument;
    struct barrier_slot slot = BARRIER_SLOT(cpu);
    barrier();
    for (unsigned episode = 1; episode <= episodes; episode++) {
        if (random_below(4) == 0) delay(random_below(LATE_TURNS_MOST >> random_below(8)));
        come_to[cpu].episode = episode;
        barrier_wait(&meeting, &slot);
        for (unsigned i = 0; i < processors(); i++) {
            unsigned other = come_to[i].episode;
            CHECK(other == episode || other == episode + 1);
        }
    }
}

int main(void) {
    unsigned episodes = arg_unsigned("episodes", 300);
    barrier_setup(&meeting, processors());
    run_on_all(meet, &episodes);
    for (unsigned i = 0; i < processors(); i++) CHECK_EQUAL(come_to[i].episode, episodes);
    report("episodes", episodes);
    return 0;
}
