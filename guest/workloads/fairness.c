// SPDX-License-Identifier: MIT

// Which waiter a lock serves (claims ALL-59, ALL-69). Processors acquire the lock repeatedly, with
// random pauses, and note when they came and when they were served. How many of the other waiters
// had come before the one served? If the choice is random, half; if first come, first served, none;
// if long waiters are disfavoured, more than half.
//
// Arguments   turns      acquisitions by each processor; default 500, at most 1024
//             pause_us   mean of the pause, which is uniform; default 60
//             lock       if given, must be the lock this image is built with
// Results     waiting    waiters at each service of another processor, summed over all services
//             earlier    those of them that came before the one served
//             turns, elapsed_us
// Checks      the counter in the section
//
// The notes are two stores outside the section. The arrival is noted before the lock is tried. Two
// that arrive in the same microsecond cannot be told apart and count in neither number. Services
// after the first processor has finished are not counted.

#include "workload.h"

#define MOST_TURNS 1024

struct note {
    uint32_t came_us, served_us;
};

static struct lock fairness_lock = LOCK_INIT;
static struct { LINE_ALIGNED volatile unsigned value; } counter;

static struct note notes[MAX_PROCESSORS][MOST_TURNS];
static unsigned turns, pause_us;
static uint32_t start_us;

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    barrier();
    if (cpu == 0) start_us = board_clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    for (unsigned i = 0; i < turns; i++) {
        wait_until_us(board_clock_us() + random_below(2 * pause_us + 1));
        uint32_t came_us = board_clock_us();
        lock_acquire(&fairness_lock, &slot);
        uint32_t served_us = board_clock_us();
        counter.value = counter.value + 1;
        lock_release(&fairness_lock, &slot);
        notes[cpu][i] = (struct note){came_us, served_us};
    }
    PROBE(PROBE_REGION_END, TIMED_REGION);
    barrier();
}

static uint32_t first_end(void) {
    uint32_t end_us = UINT32_MAX;
    for (unsigned i = 0; i < processors(); i++)
        if (notes[i][turns - 1].served_us < end_us) end_us = notes[i][turns - 1].served_us;
    return end_us;
}

static void report_order(uint32_t end_us) {
    uint64_t waiting = 0, earlier = 0;
    for (unsigned served = 0; served < processors(); served++) {
        unsigned next[MAX_PROCESSORS] = {0};  // each processor's first acquisition not yet served
        for (const struct note* turn = notes[served]; turn->served_us < end_us; turn++)
            for (unsigned i = 0; i < processors(); i++) {
                while (notes[i][next[i]].served_us <= turn->served_us) next[i]++;
                uint32_t came_us = notes[i][next[i]].came_us;
                bool waits = i != served && came_us < turn->served_us && came_us != turn->came_us;
                waiting += waits;
                earlier += waits && came_us < turn->came_us;
            }
    }
    report("waiting", waiting);
    report("earlier", earlier);
}

int main(void) {
    check_lock_argument();
    turns = arg_unsigned("turns", 500);
    pause_us = arg_unsigned("pause_us", 60);
    if (turns < 1 || turns > MOST_TURNS) panic("turns must be 1 to %u", MOST_TURNS);
    run_on_all(run, NULL);
    uint32_t end_us = first_end();
    report("turns", turns);
    report("elapsed_us", end_us - start_us);
    report_order(end_us);
    return counter.value == turns * processors() ? 0 : 1;
}
