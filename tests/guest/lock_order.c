// SPDX-License-Identifier: MIT

// Locks that serve in the order of arrival. Processors come one by one, in an order drawn at
// random, while the first has the lock; then each takes it again as soon as it has given it back,
// and so stands behind all others: the order must come round unchanged, turn after turn.
// Argument: turns per processor, default 70: with four processors more than there are places in a
// queue, and than a byte counts.

#include "cpu.h"
#include "lock.h"
#include "test.h"

#define SPACING_US 100  // between arrivals; joining takes a tenth
#define SECTION_US 30   // giving back and joining again takes less

static struct lock lock = LOCK_INIT;

static unsigned char order[MAX_PROCESSORS];
static uint32_t start_us;
static struct { LINE_ALIGNED volatile unsigned entries; } shared;

static void wait_until_us(uint32_t time_us) {
    while ((int32_t)(clock_us() - time_us) < 0) {
    }
}

static void draw_order(void) {
    for (unsigned i = 0; i < processors(); i++) {
        unsigned j = random_below(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static unsigned place_of(unsigned cpu) {
    unsigned place = 0;
    while (order[place] != cpu) place++;
    return place;
}

static void come_again(unsigned cpu, void* turns) {
    struct lock_slot slot;
    barrier();
    if (cpu == 0) start_us = clock_us() + SPACING_US;
    barrier();
    wait_until_us(start_us + SPACING_US * (1 + place_of(cpu)));
    for (unsigned i = 0; i < *(const unsigned*)turns; i++) {
        lock_acquire(&lock, &slot);
        unsigned entry = shared.entries;
        CHECK_EQUAL(cpu, order[entry % processors()]);
        wait_until_us(entry == 0 ? start_us + SPACING_US * (1 + processors())
                                 : clock_us() + SECTION_US);
        shared.entries = entry + 1;
        lock_release(&lock, &slot);
    }
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 70);
    draw_order();
    run_on_all(come_again, &turns);
    CHECK_EQUAL(shared.entries, turns * processors());
    return 0;
}
