// SPDX-License-Identifier: MIT

// The barrier of ALL Figure 4.3 (claims ALL-52 to ALL-55): all processors start together, each
// takes the lock once, adds 1, and then loops until all have. The queue for the lock only drains.
//
// Arguments   rounds  repetitions, each timed by itself; default 100
//             lock    if given, must be the lock this image is built with
// Results     elapsed_us of all rounds together, rounds
// Checks      each round's count must come to the number of processors
//
// A round starts by the clock, so that neither its start nor the end of the last one is on the bus
// when it begins. Processor 0 reads the clock; where a microsecond ends within a round is as good
// as random, so the mean over rounds is finer than a microsecond.

#include "locks/turns.h"
#include "workload.h"

// All see the same microsecond begin; each then comes up to START_TURNS of delay_turns later, by
// chance. Without that every round would go like the first, and the first as instructions and bus
// happen to be in phase.
#define START_TURNS 4

// From the barrier to the start: all have read `start_us` by then, two read misses each.
#define START_DELAY_US 200

static struct lock arrival_lock = LOCK_INIT;

static struct { LINE_ALIGNED volatile unsigned value; } count;
static struct { LINE_ALIGNED volatile uint32_t us; } start;

static unsigned rounds;
static uint32_t elapsed_us;
static bool wrong;

static IDLE_FUNCTION void wait_for_all(unsigned all) {
    while (count.value != all) {
    }
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    KEPT_IN_MEMORY unsigned all = processors();
    for (KEPT_IN_MEMORY unsigned i = 0; i < rounds; i++) {
        unsigned start_turns = 1 + random_below(START_TURNS);
        if (cpu == 0) {
            wrong |= i > 0 && count.value != all;
            count.value = 0;
            start.us = board_clock_us() + START_DELAY_US;
        }
        barrier();
        uint32_t start_us = start.us;
        wait_until_us(start_us);
        delay_turns(start_turns);
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        lock_acquire(&arrival_lock, &slot);
        count.value = count.value + 1;
        lock_release(&arrival_lock, &slot);
        wait_for_all(all);
        PROBE(PROBE_REGION_END, TIMED_REGION);
        if (cpu == 0) elapsed_us += board_clock_us() - start_us;
        barrier();
    }
}

int main(void) {
    check_lock_argument();
    rounds = arg_unsigned("rounds", 100);
    run_on_all(run, NULL);
    report("elapsed_us", elapsed_us);
    report("rounds", rounds);
    if (wrong || count.value != processors()) printf("a round counted wrong\n");
    return wrong || count.value != processors() ? 1 : 0;
}
