// SPDX-License-Identifier: MIT
#pragma once

// All processors repeat: acquire one lock, critical section, release, pause. The file that includes
// this one defines the section and checks its data:
//
//   LOCK_CALLED                                    whether a turn calls procedures (lock_calls.h)
//   HAS_PAUSES                                     false: a turn has no code for a pause
//   SECTION_HAS_DATA                               whether the section has data of its own
//   static unsigned section_ns(void);              length of the section on one processor; 0: as
//                                                  short as its data allow
//   static inline void section(void);              the section, with section_wait() for its length
//   static void forget_turns(void);                resets the data
//   static bool check_turns(unsigned turns);       whether `turns` sections ran since then
//
// Arguments   turns           of all processors together, per round; at least one per processor;
//                             default 1000000
//             turns_each      if not 0, turns of each processor per round, instead of `turns`
//             rounds          default 1. Before them each processor does one turn that is not
//                             measured: it loads code and data into the caches, and draws a number
//                             for a pause
//             pause_sections  if HAS_PAUSES: mean pause in lengths of the section; default 0: none
//             lock            if given, must be the lock this image is built with
// Results     elapsed_us      common start to the end of the last turn; sum over rounds
//             turns_done      turns in these rounds
//             start_ps        part of `elapsed_us` per round for the start and for reading the
//                             clock
//             section_ps, section_moved_ps            the section alone, without lock: on one
//                             processor; and after another processor had its data
//             pause_least_ps, pause_step_ps, pause_steps   a pause is the least plus 0 .. steps - 1
//                             steps, uniform: the part of a turn outside lock and section. The
//                             least is the same loop without both, with calls of an empty procedure
//                             if LOCK_CALLED
//             seed            run.seed; from it a model draws the same pauses
//
// A round starts at a clock time. All processors read the clock without using the bus, so they
// start within one iteration of the waiting loop. The pause is a loop in registers. Each processor
// has its own random generator, seeded by its first random_next().

#include "draw.h"
#include "lock_calls.h"
#include "locks/turns.h"
#include "workload.h"

#define MEASURED_TURNS 4096    // clock resolution 1 us over so many: 0.25 ns
#define MEASURED_STEPS 100000  // likewise: 10 ps
#define MEASURED_ROUNDS 256    // all pairs of ROUND_DELAYS
#define START_AFTER_US 300     // by then 64 processors have left barrier()

static inline void section_wait(void);
static unsigned section_ns(void);
static inline void section(void);
static void forget_turns(void);
static bool check_turns(unsigned turns);

static struct lock turns_lock = LOCK_INIT;

// Written by processor 0 at set-up, then only read.
static struct { LINE_ALIGNED unsigned turns, turns_each, rounds, pause_steps; } plan;

// The part of a section that only takes time: a loop of delay_turns and one of delay_slots. Both
// together come within a clock of any length of some us. Written before the first turn.
static struct {
    LINE_ALIGNED unsigned turns;
    unsigned slots;
} wait;  // no turns: no delay

static struct { LINE_ALIGNED volatile uint32_t start_us; } common;
static struct { LINE_ALIGNED volatile uint32_t end_us; } ends[MAX_PROCESSORS];
static uint32_t elapsed_us;

static inline __attribute__((always_inline)) unsigned steps_of(uint32_t x, unsigned pause_steps) {
    return (uint64_t)x * pause_steps >> 32;
}

static inline __attribute__((always_inline)) uint32_t pause(uint32_t x, unsigned pause_steps) {
    if (HAS_PAUSES && pause_steps != 0) {
        x = draw(x);
        delay_turns(steps_of(x, pause_steps) + 1);
    }
    return x;
}

// In one piece of assembler: in a turn a compiler may place branches otherwise than where the
// section is measured, and a branch that is taken costs 5 clocks more.
static inline __attribute__((always_inline)) void section_wait(void) {
    unsigned left;
    __asm__ volatile(
        "movl %[turns], %[left]\n\t"
        "testl %[left], %[left]\n\t"
        "jz 3f\n"
        "1: decl %[left]\n\t"
        "jnz 1b\n\t"
        "movl %[slots], %[left]\n"
        "2: nop\n\t"
        "nop\n\t"
        "decl %[left]\n\t"
        "jnz 2b\n"
        "3:"
        : [left] "=&r"(left)
        : [turns] "m"(wait.turns), [slots] "m"(wait.slots)
        : "cc");
}

static unsigned turns_of(unsigned cpu) {
    if (plan.turns_each != 0) return plan.turns_each;
    return plan.turns / processors() + (cpu < plan.turns % processors());
}

// Waits for the same moment on all processors. The delays differ from round to round, so the clock
// is read at all phases of a microsecond and rounding averages out over the rounds.
#define ROUND_DELAYS 16

static inline __attribute__((always_inline)) void await(uint32_t start_us, unsigned round) {
    delay_slots(1 + round / ROUND_DELAYS % ROUND_DELAYS);
    wait_until_us(start_us);
    delay_turns(1 + round % ROUND_DELAYS);
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    unsigned pause_steps = plan.pause_steps;
    uint32_t x = random_next();

    for (unsigned round = 0; round <= plan.rounds; round++) {
        unsigned left = round == 0 ? 1 : turns_of(cpu);
        if (cpu == 0) common.start_us = clock_us() + START_AFTER_US;
        barrier();
        uint32_t start_us = common.start_us;
        await(start_us, round);
        PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
        do {
            turn_acquire(&turns_lock, &slot);
            section();
            turn_release(&turns_lock, &slot);
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

// ---- times of the parts of a turn, without lock; on processor 0, before the others begin ----

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

// Time of an iteration of an empty loop, which the other measurements contain as well.
static uint64_t measure_loop_ps(void) {
    unsigned left = MEASURED_TURNS;
    uint32_t start_us = clock_us();
    do {
        compiler_barrier();
    } while (--left != 0);
    return per_turn_ps(start_us, MEASURED_TURNS);
}

static uint64_t measure_section_ps(void) {
    unsigned left = MEASURED_TURNS;
    section();
    uint32_t start_us = clock_us();
    do {
        section();
        compiler_barrier();
    } while (--left != 0);
    uint64_t all_ps = per_turn_ps(start_us, MEASURED_TURNS), loop_ps = measure_loop_ps();
    return all_ps > loop_ps ? all_ps - loop_ps : 0;  // rounding may make an empty section negative
}

static uint64_t measure_step_ps(void) {
    uint32_t start_us = clock_us();
    delay_turns(MEASURED_STEPS);
    return per_turn_ps(start_us, MEASURED_STEPS);
}

static uint64_t measure_slot_ps(void) {
    uint32_t start_us = clock_us();
    delay_slots(MEASURED_STEPS);
    return per_turn_ps(start_us, MEASURED_STEPS);
}

// Sets the delay with which the section takes `aim_ps`, as nearly as can be. `step_ps`: of
// delay_turns.
static void choose_wait(uint64_t aim_ps, uint64_t step_ps) {
    wait.turns = wait.slots = 1;
    uint64_t least_ps = measure_section_ps(), slot_ps = measure_slot_ps();
    if (aim_ps < least_ps)
        panic("the section must be empty or take at least %u ns", (unsigned)(least_ps / 1000) + 1);
    uint64_t rest_ps = aim_ps - least_ps, best_ps = UINT64_MAX;
    for (unsigned slots = 0; slots < 5 && slots * slot_ps <= rest_ps; slots++) {  // 5 are 8 turns
        uint64_t left_ps = rest_ps - slots * slot_ps;
        unsigned turns = (left_ps + step_ps / 2) / step_ps;
        uint64_t got_ps = turns * step_ps;
        uint64_t off_ps = got_ps > left_ps ? got_ps - left_ps : left_ps - got_ps;
        if (off_ps >= best_ps) continue;
        best_ps = off_ps;
        wait.turns = 1 + turns;
        wait.slots = 1 + slots;
    }
}

// Time of a turn without lock, section and the pause's steps.
static uint64_t measure_pause_least_ps(unsigned pause_steps, uint64_t step_ps) {
    unsigned left = MEASURED_TURNS;
    uint32_t x = 1;
    struct lock_slot slot;
    uint32_t start_us = clock_us();
    do {
        turn_nothing(&turns_lock, &slot);  // for the acquisition
        turn_nothing(&turns_lock, &slot);  // for the release
        x = pause(x, pause_steps);
        compiler_barrier();
    } while (--left != 0);
    uint64_t all_ps = per_turn_ps(start_us, MEASURED_TURNS);
    uint64_t steps = 0;
    x = 1;
    for (unsigned i = 0; i < MEASURED_TURNS; i++) steps += steps_of(x = draw(x), pause_steps);
    return all_ps - steps * step_ps / MEASURED_TURNS;
}

// Processors 0 and 1 alternate, signalling by a flag each. The extra time of an alternation with a
// section is what the section costs when its data move between caches. Delays of 64 different
// lengths cover all phases of the waiting loop, whatever an iteration takes. So the loop does not
// always see the flag change at the same point.
static struct { LINE_ALIGNED volatile unsigned turn; } by_turns[2];

static void alternate(unsigned cpu, void* with_section) {
    for (unsigned turn = 1; turn <= MEASURED_TURNS; turn++) {
        while (by_turns[!cpu].turn != turn - (cpu == 0)) {
        }
        delay_turns(1 + turn % 8);
        delay_slots(1 + turn / 8 % 8);
        if (with_section != NULL) section();
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

    uint64_t step_ps = measure_step_ps(), aim_ps = (uint64_t)section_ns() * 1000;
    if (aim_ps != 0) choose_wait(aim_ps, step_ps);
    uint64_t section_ps = measure_section_ps();
    uint64_t moved_ps = section_ps;
    if (SECTION_HAS_DATA && processors() > 1) {
        measure_alternation_ps(alternate);  // fills the caches
        moved_ps = measure_alternation_ps(alternate) - measure_alternation_ps(NULL);
    }
    uint64_t mean_ps = HAS_PAUSES ? arg_unsigned("pause_sections", 0) * section_ps : 0;
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
