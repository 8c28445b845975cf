// SPDX-License-Identifier: MIT

// The synthetic program of Wisniewski, Kontothanassis and Scott (process_load.h), sections 4.1 to
// 4.3: workers loop over work outside a critical section and work inside. The section decrements a
// counter that all share. A worker ends when the counter is 0.
//
// Arguments   those of process_load.h, and
//             turns_each         turns of all workers together, per worker; default 1000
//             section_us         mean length of a section; default 15
//             outside_us         mean work between two sections; default 150; 0: only what the loop
//                                takes itself
//             variation_percent  the two vary uniformly by up to so much of their mean; default 10
//             lock               if given, must be the lock this image is built with
// Results     those of process_load.h, and
//             turns, turns_minimum, turns_maximum (by one worker)
//             section_ns, outside_ns   means, measured on one processor without lock
//             waiting, earlier         with COUNT_ORDER: workers that waited when another one was
//                                      served, and those of them that had come before that one;
//                                      who came in the same microsecond counts in neither
// Checks      the counter is 0, and the workers' own turns add up to its first value
//
// Work is a loop in registers, so it takes processor time and not elapsed time: a worker that is
// preempted in it continues where it was.

#include "draw.h"
#include "locks/turns.h"
#include "process_load.h"

#ifndef COUNT_ORDER  // 1 in the images process_order-LOCK, whose sections are longer by it
#define COUNT_ORDER 0
#endif

#define MEASURED_TURNS 512
#define KEEP_COMPUTED(value) __asm__ volatile("" : : "r"(value))

static struct lock turns_lock = LOCK_INIT;

static struct { LINE_ALIGNED volatile unsigned left; } turns;

// A uniform number of iterations of delay_turns: least + 0 .. choices - 1.
struct length {
    unsigned least, choices;
};

// Written by main before the workers start.
static struct { LINE_ALIGNED struct length section, outside; } plan;

// What a worker has of its own. Its slot is here and not on its stack, which no other process sees.
static struct worker {
    LINE_ALIGNED struct lock_slot slot;
    LINE_ALIGNED uint32_t random;
    unsigned turns;
} workers[MAX_PROCESSORS];

static inline __attribute__((always_inline)) unsigned length_of(struct length length, uint32_t x) {
    return length.least + ((uint64_t)x * length.choices >> 32);
}

static inline __attribute__((always_inline)) void wait_outside(unsigned length) {
    if (length != 0) delay_turns(length);
}

// Whether the countdown has ended before this turn.
static inline __attribute__((always_inline)) bool section(unsigned length) {
    bool ended = turns.left == 0;
    if (!ended) turns.left = turns.left - 1;
    delay_turns(length);
    return ended;
}

// When each worker came to the lock, 0 if it does not wait; and how many waited, and had come
// earlier, when another was served. The latter are changed in the section.
static struct { LINE_ALIGNED volatile uint32_t us; } came[MAX_PROCESSORS];
static struct { LINE_ALIGNED uint64_t waiting, earlier; } order;

static void count_order(unsigned served) {
    uint32_t own_us = came[served].us;
    came[served].us = 0;
    for (unsigned i = 0; i < load.workers; i++) {
        uint32_t other_us = came[i].us;
        if (other_us == 0 || other_us == own_us) continue;
        order.waiting++;
        order.earlier += other_us < own_us;
    }
}

static void work(unsigned worker) {
    struct worker* own = &workers[worker];
    uint32_t x = own->random;
    unsigned done = 0;
    for (;; done++) {
        x = draw(x);
        unsigned section_length = length_of(plan.section, x);
        x = draw(x);
        wait_outside(length_of(plan.outside, x));
        if (COUNT_ORDER) came[worker].us = board_clock_us();
        lock_acquire(&turns_lock, &own->slot);
        if (COUNT_ORDER) count_order(worker);
        bool ended = section(section_length);
        lock_release(&turns_lock, &own->slot);
        if (ended) break;
    }
    own->turns = done;
}

// ---- set-up, by main on one processor ----

static uint32_t per_turn_ns(uint32_t start_us) {
    return (uint64_t)(board_clock_us() - start_us) * 1000 / MEASURED_TURNS;
}

static uint32_t measure_step_ns(void) {
    uint32_t start_us = board_clock_us();
    delay_turns(10 * MEASURED_TURNS);
    return per_turn_ns(start_us) / 10;
}

// A turn of the loop without lock and section. It includes both draws.
static uint32_t measure_outside_ns(void) {
    uint32_t x = 1, start_us = board_clock_us();
    for (unsigned i = 0; i < MEASURED_TURNS; i++) {
        x = draw(x);
        unsigned section_length = length_of(plan.section, x);
        KEEP_COMPUTED(section_length);
        x = draw(x);
        wait_outside(length_of(plan.outside, x));
    }
    return per_turn_ns(start_us);
}

// The mean section. Both draws are outside it.
static uint32_t measure_section_ns(void) {
    unsigned mean = plan.section.least + plan.section.choices / 2;
    uint32_t start_us = board_clock_us();
    turns.left = MEASURED_TURNS;
    for (unsigned i = 0; i < MEASURED_TURNS; i++) section(mean);
    return per_turn_ns(start_us);
}

// The length whose mean takes `us`, if with one iteration it takes `least_ns`.
static struct length length_for(unsigned us, uint32_t least_ns, unsigned percent) {
    uint32_t step_ns = measure_step_ns(), aim_ns = 1000 * us;
    unsigned mean = aim_ns > least_ns ? 1 + (aim_ns - least_ns + step_ns / 2) / step_ns : 1;
    unsigned most = mean * percent / 100;
    return (struct length){mean - most, 2 * most + 1};
}

static void setup(void) {
    unsigned percent = arg_unsigned("variation_percent", 10);
    unsigned section_us = arg_unsigned("section_us", 15);
    unsigned outside_us = arg_unsigned("outside_us", 150);
    if (percent > 90) panic("variation_percent must be at most 90");
    plan.section = plan.outside = (struct length){1, 1};
    plan.section = length_for(section_us, measure_section_ns(), percent);
    plan.outside = (struct length){0, 1};
    if (outside_us != 0) plan.outside = length_for(outside_us, measure_outside_ns(), percent);
    report("section_ns", measure_section_ns());
    report("outside_ns", measure_outside_ns());
    for (unsigned i = 0; i < load.workers; i++) workers[i].random = random_next();
}

static bool check(unsigned all) {
    unsigned sum = 0, minimum = UINT32_MAX, maximum = 0;
    for (unsigned i = 0; i < load.workers; i++) {
        unsigned own = workers[i].turns;
        sum += own;
        if (own < minimum) minimum = own;
        if (own > maximum) maximum = own;
    }
    report("turns", all);
    report("turns_minimum", minimum);
    report("turns_maximum", maximum);
    if (turns.left == 0 && sum == all) return true;
    printf("%u turns are left and the workers made %u; there were %u\n", turns.left, sum, all);
    return false;
}

int main(void) {
    load_setup();
    setup();
    unsigned all = arg_unsigned("turns_each", 1000) * load.workers;
    turns.left = all;
    load_run(work);
    if (COUNT_ORDER) report("waiting", order.waiting);
    if (COUNT_ORDER) report("earlier", order.earlier);
    return check(all) ? 0 : 1;
}
