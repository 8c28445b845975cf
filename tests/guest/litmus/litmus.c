// SPDX-License-Identifier: MIT

// Runs every litmus test of tests.h that has no more threads than the machine has processors, and
// reports how often each outcome came: "TEST.apart.OUTCOME count" with x and y on two lines,
// "TEST.together.OUTCOME" with both on one. Arguments: rounds of each test, default 100;
// test, the name of a test to run alone.
//
// Each round assigns the threads to other processors and x and y to other words. Each processor has
// read x, y, both or neither before. It waits for a random time, in some rounds also between its
// accesses. A load of a cached line overtakes a store that waits for the bus. A load that misses
// is requested from the bus after the store.

#include "threads.h"

static const struct test {
    const char* name;
    unsigned threads;
    thread* thread[LITMUS_THREADS][2];  // tight, spaced
} tests[] = {LITMUS_TESTS(ROW)};

enum { TESTS = sizeof tests / sizeof tests[0], LINES = 4, WORDS = LINE_BYTES / 4 };

// Rounds alternate between two sets of words: one is evaluated while the next is set up.
static struct { LINE_ALIGNED volatile unsigned word[LINES][WORDS]; } places[2];

static struct {
    LINE_ALIGNED volatile unsigned* x;
    volatile unsigned* y;
    unsigned first;  // the processor that executes thread 0
    bool down;       // thread 1 is on the processor numbered one below it, else one above
} setups[2];

static struct { LINE_ALIGNED unsigned registers[LITMUS_REGISTERS]; } results[2][LITMUS_THREADS];

static struct { LINE_ALIGNED volatile unsigned char bytes[12]; } scratch[LITMUS_THREADS];

// The outcomes of the current test: two bits for each digit, the first digit in the highest bits.
enum { OUTCOMES = 128 };
static struct { unsigned digits, count; } outcomes[OUTCOMES];
static unsigned outcomes_seen;

static const struct test* test;
static bool together;
static unsigned rounds;

// The sum and the difference of two processor numbers, modulo the number of processors.
static unsigned ring_add(unsigned a, unsigned b) {
    return a + b < processors() ? a + b : a + b - processors();
}
static unsigned ring_subtract(unsigned a, unsigned b) {
    return a >= b ? a - b : a + processors() - b;
}

static void set_up(unsigned round) {
    volatile unsigned(*word)[WORDS] = places[round & 1].word;
    uint32_t random = random_next();
    unsigned line = random % LINES, at = random / LINES % WORDS;
    unsigned other_at = random / LINES / WORDS % WORDS;
    volatile unsigned* x = &word[line][at];
    // Together: x and y are on one line even with the shortest lines, which have two words.
    volatile unsigned* y = together ? &word[line][at ^ 1] : &word[(line + 1) % LINES][other_at];
    *x = 0;
    *y = 0;
    setups[round & 1].x = x;
    setups[round & 1].y = y;
    setups[round & 1].first = (random >> 16) * processors() >> 16;
    setups[round & 1].down = random >> 15 & 1;
}

static void collect(unsigned round) {
    unsigned digits = 0, i = 0;
    for (unsigned thread = 0; thread < LITMUS_THREADS; thread++) {
        digits <<= 4;
        if (thread >= test->threads) continue;
        unsigned first = setups[round & 1].first;
        unsigned cpu =
            setups[round & 1].down ? ring_subtract(first, thread) : ring_add(first, thread);
        const unsigned* registers = results[round & 1][cpu].registers;
        digits |= registers[0] << 2 | registers[1];
    }
    digits = digits << 4 | *setups[round & 1].x << 2 | *setups[round & 1].y;
    while (i < outcomes_seen && outcomes[i].digits != digits) i++;
    if (i == outcomes_seen) {
        if (i == OUTCOMES) panic("%s: more than %u outcomes", test->name, (unsigned)OUTCOMES);
        outcomes[i].digits = digits;
        outcomes[i].count = 0;
        outcomes_seen++;
    }
    outcomes[i].count++;
}

static void report_outcome(unsigned digits, unsigned count) {
    char text[LITMUS_DIGITS + 1] = "", name[64];
    for (unsigned i = 0; i < LITMUS_DIGITS; i++)
        text[i] = '0' + (digits >> 2 * (LITMUS_DIGITS - 1 - i) & 3);
    snprintf(name, sizeof name, "%s.%s.%s", test->name, together ? "together" : "apart", text);
    report(name, count);
}

// A processor without a thread keeps the bus busy, so that stores wait longer. It does so in
// bursts: if the arbiter prefers it, processors after it get no store through during a burst.
static void disturb(unsigned cpu, unsigned gap) {
    for (unsigned bursts = 0; bursts < 6; bursts++) {
        unsigned stores = sizeof scratch[cpu].bytes;
        volatile unsigned char* to = scratch[cpu].bytes;
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(stores) : "a"(0) : "memory");
        wait_turns(gap);
    }
}

static void play(unsigned cpu, void* unused) {
    (void)unused;
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t random = random_next();
        unsigned most = 4u << (round & 3), turns = random % most;
        unsigned spaced = random >> 27 & 1, gap = 1 + (random >> 24) % 8;
        if (cpu == 0) set_up(round);
        barrier();
        if (cpu == 0 && round > 0) collect(round - 1);
        volatile unsigned* x = setups[round & 1].x;
        volatile unsigned* y = setups[round & 1].y;
        unsigned first = setups[round & 1].first;
        unsigned thread =
            setups[round & 1].down ? ring_subtract(first, cpu) : ring_subtract(cpu, first);
        unsigned* registers = results[round & 1][cpu].registers;
        if (random >> 30 != 0) (void)*x;
        if ((random >> 28 & 3) != 0) (void)*y;
        barrier();
        if (thread < test->threads) {
            test->thread[thread][spaced](x, y, registers, turns, gap);
        } else if ((random >> 22 & 3) != 0) {
            wait_turns(turns);
            disturb(cpu, gap);
        }
    }
    barrier();
    if (cpu == 0) collect(rounds - 1);
}

int main(void) {
    if (processors() > LITMUS_THREADS)
        panic("no more than %u processors", (unsigned)LITMUS_THREADS);
    rounds = arg_unsigned("rounds", 100);
    const char* only = arg_string("test", "");
    for (unsigned i = 0; i < 2 * TESTS; i++) {
        test = &tests[i / 2];
        together = i % 2;
        if (test->threads > processors()) continue;
        if (*only != 0 && strcmp(only, test->name) != 0) continue;
        outcomes_seen = 0;
        run_on_all(play, NULL);
        for (unsigned j = 0; j < outcomes_seen; j++)
            report_outcome(outcomes[j].digits, outcomes[j].count);
    }
    return 0;
}
