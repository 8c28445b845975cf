// SPDX-License-Identifier: MIT

// The barrier of ALL Figure 4.3 (claims ALL-52 to ALL-55). All processors start together. Each
// acquires the lock once, adds 1 and loops until all have. The queue at the lock only drains.
//
// Arguments   rounds  repetitions, each timed separately; default 100
//             lock    if given, must be the lock this image is built with
// Results     elapsed_us of all rounds together, rounds
// Checks      each round must count up to the number of processors
//
// A round starts at a clock time, so no traffic from the start or from the last round is on the
// bus. Processor 0 reads the clock. Rounds end at random within a microsecond, so the mean over
// rounds is finer than a microsecond.

#include "locks/turns.h"
#include "workload.h"

// All see the same microsecond begin. Each then starts up to START_TURNS iterations of delay_turns
// later, at random. Without this delay all rounds would be alike, and depend on the phase between
// instructions and bus.
#define START_TURNS 4

// From the barrier to the start; by then all have read `start_us`, two read misses each.
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
