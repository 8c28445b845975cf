// SPDX-License-Identifier: MIT

// Quanta and extensions (WKS section 3), on processor 0, seen by processes that read the clock all
// the time: a gap is time in which the process did not run.
// Arguments: the kernel's, in steps of the timer's 100 us.

#include "process.h"
#include "test.h"

static unsigned quantum, spread, extension;
static volatile unsigned stop;

#define GAP 300    // us without having seen the clock: others ran. The kernel needs less
#define SLACK 150  // us that the kernel needs at the begin or end of a turn
#define TURNS_MOST 48

// Lengths of the turns for which a process ran, and how each began and went.
struct turns {
    unsigned number, us[TURNS_MOST], warned[TURNS_MOST], warning_at[TURNS_MOST];
};
static struct turns first, second;
static volatile struct turns* latest;  // whose turn it is
static volatile unsigned repeated;     // turns of the same process twice in a row
static volatile bool begun, done;      // both exist; one of the two has ended

static void watch(struct turns* turns, unsigned after) {
    struct context_block* block = process_block();
    uint32_t begin = clock_us(), last = begin;
    unsigned number = 0;
    while (number <= after && !stop) {
        const uint32_t now = clock_us();
        if (now - last > GAP) {
            turns->us[number++] = last - begin;
            if (latest == turns && !done) repeated++;
            latest = turns;
            begin = now;
            if (number <= after) {
                CHECK_EQUAL(block->warning, 0);
                turns->warned[number] = 0;
            }
        } else if (block->warning && !turns->warned[number]) {
            turns->warned[number] = 1;
            turns->warning_at[number] = now - begin;
        }
        last = now;
    }
    turns->number = number;
    done = true;
}

#define TURNS 12
static unsigned turns_wanted = TURNS;

static void compute(void* turns) {
    while (!begun) process_yield();
    watch(turns, turns_wanted);
}

static void compute_for_ever(void* unused) {
    (void)unused;
    while (!stop) {
    }
}

// The first turn began before the process looked at the clock.
static void check(const struct turns* turns, unsigned least, unsigned most) {
    for (unsigned i = 1; i < turns->number; i++)
        if (turns->us[i] + SLACK < least || turns->us[i] > most + SLACK)
            panic("turn %u lasted %u us, not %u to %u", i, turns->us[i], least, most);
}

static void plain(void) {
    begun = false;
    int one = process_spawn(compute, &first, 0), two = process_spawn(compute, &second, 0);
    begun = true;
    process_wait(one);
    process_wait(two);
    check(&first, quantum - spread, quantum + spread);
    check(&second, quantum - spread, quantum + spread);
    for (unsigned i = 0; i < TURNS; i++) CHECK(!first.warned[i] && !second.warned[i]);
}

// The claims of a process that is never to be preempted: each interface.
static void claim_symunix(void* turns) {
    process_block()->unpreemptable = 1;
    watch(turns, TURNS);
}
static void claim_extended(void* turns) {
    process_block()->state = UNPREEMPTABLE_SELF;
    watch(turns, TURNS);
    CHECK_EQUAL(process_block()->state, UNPREEMPTABLE_SELF);  // kept over preemptions
}

static void for_ever(process_function* claim) {
    stop = 0;
    first = (struct turns){0};
    int other = process_spawn(compute_for_ever, NULL, 0);
    process_wait(process_spawn(claim, &first, 0));
    stop = 1;
    process_wait(other);
    CHECK_EQUAL(first.number, TURNS + 1);
    check(&first, quantum - spread + extension, quantum + spread + extension);
    for (unsigned i = 1; i < TURNS; i++) {
        CHECK(first.warned[i]);
        CHECK(first.warning_at[i] + SLACK >= quantum - spread);
        CHECK(first.warning_at[i] <= quantum + spread + SLACK);
    }
}

// Yields when it is warned, so it never uses its extension up; the next quantum is a whole one.
static void yield_when_warned(void* unused) {
    (void)unused;
    struct context_block* block = process_block();
    block->unpreemptable = 1;
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t begin = clock_us();
        while (!block->warning) {
        }
        const uint32_t us = clock_us() - begin;
        if (i > 0 && (us + SLACK < quantum - spread || us > quantum + spread + SLACK))
            panic("warned after %u us", us);
        process_yield();
        CHECK_EQUAL(block->warning, 0);
    }
}
static void yields(void) {
    stop = 0;
    int other = process_spawn(compute_for_ever, NULL, 0);
    CHECK_EQUAL(process_wait(process_spawn(yield_when_warned, NULL, 0)), 0);
    stop = 1;
    process_wait(other);
}

// A process sleeps when its quantum is just over. The next one is not interrupted for that: one of
// two that compute would lose its turn, and the other would have two in a row.
static volatile unsigned word;
static void sleep_at_the_end(void* argument) {
    const unsigned us = (unsigned)argument;
    for (unsigned i = 0; i < 40; i++) {
        const uint32_t begin = clock_us();
        while (clock_us() - begin < us - 40 + 2 * i) {
        }
        process_sleep(&word, 0);
    }
}
static void wake_all(void* unused) {
    (void)unused;
    while (!stop) {
        process_wake(&word, 1);
        for (volatile unsigned i = 0; i < 50; i++) {
        }
    }
}
static void stale(void) {
    stop = repeated = 0;
    turns_wanted = TURNS_MOST - 1;
    latest = NULL;
    done = false;
    first = second = (struct turns){0};
    int sleeper = process_spawn(sleep_at_the_end, (void*)quantum, 0);
    int waker = process_spawn(wake_all, NULL, 1);
    begun = false;
    int one = process_spawn(compute, &first, 0), two = process_spawn(compute, &second, 0);
    begun = true;
    process_wait(one);
    process_wait(two);
    CHECK_EQUAL(repeated, 0);
    process_wait(sleeper);
    stop = 1;
    process_wait(waker);
    check(&first, quantum - spread, quantum + spread);
    check(&second, quantum - spread, quantum + spread);
}

// Nobody else is ready: it is not interrupted beyond the time that the kernel needs.
static void alone(void) {
    stop = 0;
    process_block()->unpreemptable = 1;
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 5 * quantum) CHECK_EQUAL(process_block()->warning, 0);
    process_block()->unpreemptable = 0;
}

int main(void) {
    quantum = arg_unsigned("quantum_us", 0);
    spread = arg_unsigned("quantum_spread_us", 0);
    extension = arg_unsigned("extension_us", 0);
    plain();
    for_ever(claim_symunix);
    for_ever(claim_extended);
    yields();
    if (processors() > 1) stale();
    alone();
    return 0;
}
