// SPDX-License-Identifier: MIT

// Whom a lock serves (claims ALL-59, ALL-69): processors take turns at the lock with a random pause
// between, and note when they came and when they got it. At each service, those who wait have come
// before the one served or after. If the choice is random, half of them have come before, if it is
// first come first served, none; if those who have waited long are served worse, more than half.
//
// Arguments   turns      of each processor; default 500, at most 1024
//             pause_us   mean of the pause, which is uniform; default 60
//             lock       if given, must be the lock this image is built with
// Results     waiting    those waiting at services by others, summed over services
//             earlier    those of them who had come before the one served
//             turns, elapsed_us
// Checks      the section's counter
//
// The notes are two stores outside the section. Coming is noted before the lock is tried, so two
// who come within a microsecond are not told apart and count in neither number. What comes after
// the first processor has finished is left out.

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
        unsigned next[MAX_PROCESSORS] = {0};  // of each processor, its first turn not served yet
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
