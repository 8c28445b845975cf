// SPDX-License-Identifier: MIT
#pragma once

// All processors take one lock again and again: acquire, section, release, pause. The file that
// includes this one has the section, and can tell whether its data show so many turns:
//
//   SECTION_HAS_DATA                               whether it has data of its own
//   SECTION_NS                                     what `delay` stands for, to the nearest turn
//   static inline void section(unsigned delay);    `delay` in turns of delay_turns
//   static void forget_turns(void);
//   static bool check_turns(unsigned turns);       whether there were so many since
//
// Arguments   turns           all processors' together, in each round; at least their number;
//                             default 1000000
//             turns_each      if not 0, of each processor in each round, in place of `turns`
//             rounds          default 1; before them a turn each that is not measured: it brings
//                             code and data into the caches, and takes a number
//                             for a pause
//             pause_sections  mean pause in lengths of the section; default 0: none at all
//             lock            if given, must be the lock this image is built with
// Results     elapsed_us      from the common start to the last one's last turn; sum of the rounds
//             turns_done      in those
//             start_ps        of `elapsed_us`, how much of each round is starting and reading the
//                             clock
//             section_ps, section_moved_ps            the section alone, without lock: on one
//                             processor; and if another one had it before
//             pause_least_ps, pause_step_ps, pause_steps   a pause is the least and 0 .. steps - 1
//                             steps, each number as likely: what is outside the lock in a turn
//             seed            run.seed; from it a model draws the same pauses
//
// A round starts on the clock, which all read without using the bus: within a turn of that loop.
// The pause is a loop in registers; the number comes from a generator of each processor's own,
// which begins with its first random_next().

#include "locks/turns.h"
#include "workload.h"

#define MEASURED_TURNS 4096    // 1 us of the clock over so many is 0.25 ns
#define MEASURED_STEPS 100000  // the same, 10 ps
#define MEASURED_ROUNDS 256    // all pairs of ROUND_DELAYS
#define START_AFTER_US 300     // 64 processors have left barrier() by then

static inline void section(unsigned delay);
static void forget_turns(void);
static bool check_turns(unsigned turns);

static struct lock turns_lock = LOCK_INIT;

// Set up by processor 0, then only read.
static struct { LINE_ALIGNED unsigned turns, turns_each, rounds, section_delay, pause_steps; } plan;

static struct { LINE_ALIGNED volatile uint32_t start_us; } common;
static struct { LINE_ALIGNED volatile uint32_t end_us; } ends[MAX_PROCESSORS];
static uint32_t elapsed_us;

// The next state of the pauses' generator: xorshift as in lib/random.c.
static inline __attribute__((always_inline)) uint32_t draw(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static inline __attribute__((always_inline)) unsigned steps_of(uint32_t x, unsigned pause_steps) {
    return (uint64_t)x * pause_steps >> 32;
}

static inline __attribute__((always_inline)) uint32_t pause(uint32_t x, unsigned pause_steps) {
    if (pause_steps != 0) {
        x = draw(x);
        delay_turns(steps_of(x, pause_steps) + 1);
    }
    return x;
}

static unsigned turns_of(unsigned cpu) {
    if (plan.turns_each != 0) return plan.turns_each;
    return plan.turns / processors() + (cpu < plan.turns % processors());
}

// The same moment on all processors. The delays, others in each round, have the clock read at all
// points of a microsecond, so that whole ones even out over the rounds.
#define ROUND_DELAYS 16

static inline __attribute__((always_inline)) void await(uint32_t start_us, unsigned round) {
    delay_slots(1 + round / ROUND_DELAYS % ROUND_DELAYS);
    wait_until_us(start_us);
    delay_turns(1 + round % ROUND_DELAYS);
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    unsigned section_delay = plan.section_delay, pause_steps = plan.pause_steps;
    uint32_t x = random_next();

    for (unsigned round = 0; round <= plan.rounds; round++) {
        unsigned left = round == 0 ? 1 : turns_of(cpu);
        if (cpu == 0) common.start_us = clock_us() + START_AFTER_US;
        barrier();
        uint32_t start_us = common.start_us;
        await(start_us, round);
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        do {
            lock_acquire(&turns_lock, &slot);
            section(section_delay);
            lock_release(&turns_lock, &slot);
            x = pause(x, pause_steps);
        } while (--left != 0);
        PROBE(PROBE_REGION_END, TIMED_REGION);
        ends[cpu].end_us = board_clock_us();
        barrier();
        if (cpu == 0 && round > 0) {
            uint32_t longest_us = 0;
            for (unsigned i = 0; i < processors(); i++)
                if (ends[i].end_us - start_us > longest_us) longest_us = ends[i].end_us - start_us;
            elapsed_us += longest_us;
        }
    }
}

// ---- what the parts of a turn take, without lock; on processor 0 before the others begin ----

static uint64_t per_turn_ps(uint32_t start_us, unsigned turns) {
    return (uint64_t)(clock_us() - start_us) * 1000000 / turns;
}

static uint64_t measure_start_ps(void) {
    uint32_t sum_us = 0;
    for (unsigned round = 0; round < MEASURED_ROUNDS; round++) {
        uint32_t start_us = board_clock_us() + 2 * ROUND_DELAYS;
        await(start_us, round);
        sum_us += board_clock_us() - start_us;
    }
    return (uint64_t)sum_us * 1000000 / MEASURED_ROUNDS;
}

// Of one turn of an empty loop, which the others contain as well.
static uint64_t measure_loop_ps(void) {
    unsigned left = MEASURED_TURNS;
    uint32_t start_us = clock_us();
    do {
        compiler_barrier();
    } while (--left != 0);
    return per_turn_ps(start_us, MEASURED_TURNS);
}

static uint64_t measure_section_ps(unsigned section_delay) {
    unsigned left = MEASURED_TURNS;
    section(section_delay);
    uint32_t start_us = clock_us();
    do {
        section(section_delay);
        compiler_barrier();
    } while (--left != 0);
    uint64_t all_ps = per_turn_ps(start_us, MEASURED_TURNS), loop_ps = measure_loop_ps();
    return all_ps > loop_ps ? all_ps - loop_ps : 0;  // of an empty one the clock may show less
}

static uint64_t measure_pause_step_ps(void) {
    uint32_t start_us = clock_us();
    delay_turns(MEASURED_STEPS);
    return per_turn_ps(start_us, MEASURED_STEPS);
}

// What a pause takes beside its steps, the end of the loop included.
static uint64_t measure_pause_least_ps(unsigned pause_steps, uint64_t step_ps) {
    unsigned left = MEASURED_TURNS;
    uint32_t x = 1;
    uint32_t start_us = clock_us();
    do {
        x = pause(x, pause_steps);
        compiler_barrier();
    } while (--left != 0);
    uint64_t all_ps = per_turn_ps(start_us, MEASURED_TURNS);
    uint64_t steps = 0;
    x = 1;
    for (unsigned i = 0; i < MEASURED_TURNS; i++) steps += steps_of(x = draw(x), pause_steps);
    return all_ps - steps * step_ps / MEASURED_TURNS;
}

// Processors 0 and 1 by turns, with a flag each; what the turns take longer with a section in them
// is what the section adds to a sequence of them in which its data move. Delays of 64 lengths,
// which are of all remainders whatever a turn of the waiting loop takes, keep it from always being
// met at the same point.
static struct { LINE_ALIGNED volatile unsigned turn; } by_turns[2];

static void alternate(unsigned cpu, void* with_section) {
    for (unsigned turn = 1; turn <= MEASURED_TURNS; turn++) {
        while (by_turns[!cpu].turn != turn - (cpu == 0)) {
        }
        delay_turns(1 + turn % 8);
        delay_slots(1 + turn / 8 % 8);
        if (with_section != NULL) section(plan.section_delay);
        compiler_barrier();
        by_turns[cpu].turn = turn;
    }
}

static uint64_t measure_alternation_ps(void* with_section) {
    by_turns[0].turn = by_turns[1].turn = 0;
    start_on(1, alternate, with_section);
    uint32_t start_us = clock_us();
    alternate(0, with_section);
    wait_for(1);
    return per_turn_ps(start_us, 2 * MEASURED_TURNS);
}

static void setup(void) {
    plan.turns = arg_unsigned("turns", 1000000);
    plan.turns_each = arg_unsigned("turns_each", 0);
    plan.rounds = arg_unsigned("rounds", 1);
    if (plan.turns < processors()) panic("turns must be at least %u", processors());
    check_lock_argument();

    uint64_t step_ps = measure_pause_step_ps();
    // A loop of n turns is not n turns long, its end being shorter: corrected by what it takes.
    plan.section_delay = SECTION_NS * 1000 / step_ps;
    uint64_t section_ps = measure_section_ps(plan.section_delay);
    int64_t short_by_ps = SECTION_NS * 1000 - (int64_t)section_ps;
    if (SECTION_NS != 0 && short_by_ps > 0) {
        plan.section_delay += ((uint64_t)short_by_ps + step_ps / 2) / step_ps;
        section_ps = measure_section_ps(plan.section_delay);
    }
    uint64_t moved_ps = section_ps;
    if (SECTION_HAS_DATA && processors() > 1) {
        measure_alternation_ps(alternate);  // fills the caches
        moved_ps = measure_alternation_ps(alternate) - measure_alternation_ps(NULL);
    }
    uint64_t mean_ps = arg_unsigned("pause_sections", 0) * section_ps;
    uint64_t least_ps = measure_pause_least_ps(mean_ps != 0, step_ps);
    if (mean_ps != 0) {
        if (mean_ps < least_ps) panic("the shortest pause is longer than the mean asked for");
        plan.pause_steps = 1 + (2 * (mean_ps - least_ps) + step_ps / 2) / step_ps;
        least_ps = measure_pause_least_ps(plan.pause_steps, step_ps);
    }
    report("start_ps", measure_start_ps());
    report("section_ps", section_ps);
    report("section_moved_ps", moved_ps);
    report("pause_least_ps", least_ps);
    report("pause_step_ps", step_ps);
    report("pause_steps", plan.pause_steps);
}

static unsigned turns_in_all(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < processors(); i++) sum += turns_of(i);
    return sum;
}

int main(void) {
    setup();
    forget_turns();
    run_on_all(run, NULL);
    report("elapsed_us", elapsed_us);
    report("turns_done", plan.rounds * turns_in_all());
    report("seed", arg_unsigned("seed", 0));
    return check_turns(plan.rounds * turns_in_all() + processors()) ? 0 : 1;
}
