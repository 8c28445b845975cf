// SPDX-License-Identifier: MIT

// A barrier that is set up again and again, each time for another number of processors: more or
// fewer than before, one, all. After each setup so many processors use it, with new slots, for an
// odd and for an even number of episodes. None may leave an episode that another has not reached.
// A barrier that waits for a processor that does not take part never ends.

#include "barrier.h"
#include "test.h"

static struct barrier meeting;
static struct { LINE_ALIGNED volatile unsigned episode; } come_to[MAX_PROCESSORS];

struct use {
    unsigned count, episodes;
};

static void meet(unsigned cpu, void* argument) {
    const struct use* use = argument;
    struct barrier_slot slot = BARRIER_SLOT(cpu);
    if (cpu >= use->count) return;
    for (unsigned episode = 1; episode <= use->episodes; episode++) {
        for (unsigned turns = random_below(100); turns > 0; turns--) compiler_barrier();
        come_to[cpu].episode = episode;
        barrier_wait(&meeting, &slot);
        for (unsigned i = 0; i < use->count; i++) {
            unsigned other = come_to[i].episode;
            CHECK(other == episode || other == episode + 1);
        }
    }
}

static void set_up_and_use(unsigned count, unsigned episodes) {
    struct use use = {count, episodes};
    for (unsigned i = 0; i < MAX_PROCESSORS; i++) come_to[i].episode = 0;
    barrier_setup(&meeting, count);
    run_on_all(meet, &use);
    for (unsigned i = 0; i < count; i++) CHECK_EQUAL(come_to[i].episode, episodes);
}

int main(void) {
    const unsigned counts[] = {
        processors(), (processors() + 1) / 2, processors(), 1, (3 * processors() + 3) / 4,
        processors()};
    for (unsigned episodes = 5; episodes <= 6; episodes++)
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
            set_up_and_use(counts[i], episodes);
    return 0;
}
