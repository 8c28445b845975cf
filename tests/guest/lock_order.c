// SPDX-License-Identifier: MIT

// First-in-first-out order of locks that declare LOCK_FIFO. While one processor holds the lock, the
// others join the queue one by one in a random order. Each processor then acquires the lock again
// right after releasing it, which puts it at the end of the queue: the order must be the same in
// every round.
// Argument: turns, acquisitions per processor, default 70. With four processors these are more than
// a queue has places, and more than a byte can count.

#include "cpu.h"
#include "lock.h"
#include "test.h"

#define SPACING_US 100  // between arrivals; joining takes a tenth of it
#define SECTION_US 30   // releasing and joining again takes less

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
