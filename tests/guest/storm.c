// SPDX-License-Identifier: MIT

// Frequent interrupts, from timers and from other processors at random, while processors wait for a
// lock, hold it, and count with locked instructions. No interrupt or count is lost or doubled.
// Arguments: turns, iterations per processor, default 40; hz of the timers, default 4000.

#include "cpu.h"
#include "lock.h"
#include "slic.h"
#include "test.h"

static struct lock lock = LOCK_INIT;
static struct { LINE_ALIGNED volatile unsigned guarded, counted, handled; } all;
static struct {
    LINE_ALIGNED volatile unsigned ticks, messages, sum;
    unsigned sent_sum;
} per[MAX_PROCESSORS];

static void tick(struct trap_frame* frame) {
    (void)frame;
    per[processor()].ticks++;
    __asm__ volatile("lock incl %0" : "+m"(all.handled) : : "cc");
}

static void take(struct trap_frame* frame) {
    (void)frame;
    per[processor()].messages++;
    per[processor()].sum += slic_message();
    __asm__ volatile("lock incl %0" : "+m"(all.handled) : : "cc");
}

static void storm(unsigned cpu, void* turns) {
    struct lock_slot slot;
    descriptors_load();
    slic_mask(1 << 1 | 1 << SLIC_CLOCK_BIN);
    slic_timer(arg_unsigned("hz", 4000));
    interrupts_on();
    barrier();
    for (unsigned i = 0; i < *(const unsigned*)turns; i++) {
        lock_acquire(&lock, &slot);
        for (unsigned step = 0; step < 3; step++) all.guarded = all.guarded + 1;
        lock_release(&lock, &slot);
        __asm__ volatile("lock incl %0" : "+m"(all.counted) : : "cc");
        unsigned byte = random_below(256);
        interrupts_off();
        CHECK(slic_send(random_below(processors()), 1, byte));
        interrupts_on();
        per[cpu].sent_sum += byte;
    }
    barrier();
    // All messages have been sent. They arrive and are handled before this loop ends.
    uint32_t start = clock_us();
    while (clock_us() - start < 2000) {
    }
    barrier();
    slic_timer(0);
    interrupts_off();
    slic_mask(0);
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 40);
    on_interrupt(SLIC_VECTORS + 1, take);
    on_interrupt(SLIC_VECTORS + SLIC_CLOCK_BIN, tick);
    run_on_all(storm, &turns);
    unsigned messages = 0, ticks = 0, sum = 0, sent_sum = 0;
    for (unsigned i = 0; i < processors(); i++) {
        messages += per[i].messages;
        ticks += per[i].ticks;
        sum += per[i].sum;
        sent_sum += per[i].sent_sum;
        CHECK(per[i].ticks > 4);
    }
    CHECK_EQUAL(all.guarded, 3 * turns * processors());
    CHECK_EQUAL(all.counted, turns * processors());
    CHECK_EQUAL(messages, turns * processors());
    CHECK_EQUAL(sum, sent_sum);
    CHECK_EQUAL(all.handled, messages + ticks);
    report("ticks", ticks);
    return 0;
}
