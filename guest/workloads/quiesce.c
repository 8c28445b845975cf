// SPDX-License-Identifier: MIT

// Quiescence: time from a release until all waiters spin in their caches again (claims ALL-56 to
// ALL-58; T. E. Anderson, IEEE TPDS 1(1), 1990, measures it on Model B).
//
// A round, with R = its number x round_us on the clock:
//   before         processor 0 acquires the free lock
//   R - settle_us  all others try to acquire it, and spin quietly by R
//   R              processor 0 releases: bus.csv shows the bus traffic from here on
//   R + window_us  the next holder, which until now has done nothing on the bus, releases; the
//                  others follow, each with an empty section
//
// Arguments   rounds     default 4
//             round_us   default 5000; must leave time for the queue to drain
//             settle_us  default 1000
//             window_us  default 1500
//             lock       if given, must be the lock this image is built with
// Results     rounds, handover_us (sum over rounds of the time from R to the next acquisition)
// Checks      each processor has held the lock once in each round, before the next began

#include "workload.h"

static struct lock quiesce_lock = LOCK_INIT;

// Written by the lock holder.
static struct {
    LINE_ALIGNED volatile unsigned sections;
    volatile unsigned handover_us;
} shared;

static unsigned rounds, round_us, settle_us, window_us;

// A processor that acquires the lock within the window holds it to the window's end, and does not
// access `shared` before that. So there is at most one such processor.
static void hold(uint32_t release_us) {
    uint32_t waited_us = board_clock_us() - release_us;
    wait_until_us(release_us + window_us);
    if (waited_us < window_us) shared.handover_us = shared.handover_us + waited_us;
    shared.sections = shared.sections + 1;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t release_us = (round + 1) * round_us;
        if (cpu == 0) {
            lock_acquire(&quiesce_lock, &slot);
            shared.sections = shared.sections + 1;
        }
        barrier();
        if ((int32_t)(board_clock_us() - (release_us - settle_us)) >= 0)
            panic("round_us is too short: round %u begins at %u us", round, board_clock_us());
        wait_until_us(cpu == 0 ? release_us : release_us - settle_us);
        if (cpu != 0) {
            lock_acquire(&quiesce_lock, &slot);
            hold(release_us);
        }
        lock_release(&quiesce_lock, &slot);
        wait_until_us(release_us + window_us);  // keeps the barrier out of bus.csv's window
        barrier();
    }
}

int main(void) {
    check_lock_argument();
    rounds = arg_unsigned("rounds", 4);
    round_us = arg_unsigned("round_us", 5000);
    settle_us = arg_unsigned("settle_us", 1000);
    window_us = arg_unsigned("window_us", 1500);
    if (processors() < 2 || rounds < 1 || settle_us + window_us >= round_us)
        panic("at least 2 processors and 1 round, settle_us + window_us below round_us");
    run_on_all(run, NULL);
    report("rounds", rounds);
    report("handover_us", shared.handover_us);
    return shared.sections == rounds * processors() ? 0 : 1;
}
