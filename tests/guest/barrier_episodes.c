// SPDX-License-Identifier: MIT

// The same test for every barrier of guest/barriers, built once for each. Each processor says which
// episode it has come to, and after the barrier looks at what all others have said: nobody may be
// behind, and nobody more than one ahead. Now and then one comes late, by far or by a little.
// Arguments: episodes, default 300.

#include "barrier.h"
#include "test.h"

#define LATE_TURNS_MOST 400  // of a loop: some 300 us, longer than 20 processors take to meet

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
