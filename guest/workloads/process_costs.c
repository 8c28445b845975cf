// SPDX-License-Identifier: MIT

// What the kernel of processes costs, in microseconds on one processor, each a mean over many
// turns: docs/how-it-works/kernel.md has the results. Run it with machine.processors = 2.

#include "process.h"
#include "symsim.h"

#define TURNS 400

static struct { LINE_ALIGNED volatile unsigned word; } word;
static volatile unsigned stop;

static void report_mean(const char* name, uint64_t us, unsigned turns) {
    report_thousandths(name, turns == 0 ? 0 : (int64_t)(us * 1000 / turns));
}

// A system call that only refuses its argument.
static void system_calls(void) {
    process_wait(-1);
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < TURNS; i++) process_wait(-1);
    report_mean("system_call_us", clock_us() - begin, TURNS);
}

// Two processes of one processor yield to each other; each has a space of its own.
static void yields(void* unused) {
    (void)unused;
    for (unsigned i = 0; i < TURNS; i++) process_yield();
}
static void switches(void) {
    int one = process_spawn(yields, NULL, 1), two = process_spawn(yields, NULL, 1);
    const uint32_t begin = clock_us();
    process_wait(one);
    process_wait(two);
    report_mean("yield_to_another_us", clock_us() - begin, 2 * TURNS);
}

// Nobody else is ready.
static void yield_alone(void) {
    const uint32_t begin = clock_us();
    for (unsigned i = 0; i < TURNS; i++) process_yield();
    report_mean("yield_alone_us", clock_us() - begin, TURNS);
}

// A process sleeps on a processor that is then idle, and is woken from another one.
static volatile uint32_t woken_at;
static void sleep_often(void* unused) {
    (void)unused;
    uint64_t us = 0;
    for (unsigned i = 0; i < TURNS; i++) {
        process_sleep(&word.word, i);
        us += clock_us() - woken_at;
    }
    report_mean("wake_an_idle_processor_us", us, TURNS);
}
static void wake_often(void) {
    int sleeper = process_spawn(sleep_often, NULL, 1);
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t begin = clock_us();
        while (clock_us() - begin < 500) {
        }
        woken_at = clock_us();
        word.word = i + 1;
        process_wake(&word.word, 1);
    }
    process_wait(sleeper);
}

// The timer's interrupt at the end of a quantum, when nobody else is ready.
static void interrupts(void) {
    const uint32_t begin = clock_us();
    uint32_t last = begin;
    uint64_t us = 0;
    unsigned turns = 0;
    while (last - begin < 200000) {
        const uint32_t now = clock_us();
        if (now - last > 10) {
            us += now - last;
            turns++;
        }
        last = now;
    }
    report_mean("timer_alone_us", us, turns);
}

// Two processes that compute are preempted: from the last instruction of one to the first of the
// other, which finds how long ago the first looked at the clock.
static struct {
    LINE_ALIGNED volatile uint32_t seen;
    volatile int process;
} clock_seen;
struct kind {
    const char* name;
    bool uses_fpu;
};
static uint64_t preempted_us;
static unsigned preemptions;

static void compute(void* argument) {
    const struct kind* kind = argument;
    const int self = process_self();
    while (!stop) {
        if (kind->uses_fpu) __asm__ volatile("fldz; fstp %st(0)");
        const uint32_t now = clock_us();
        const int32_t us = (int32_t)(now - clock_seen.seen);
        // Negative: it was preempted between the two.
        if (clock_seen.process != self && clock_seen.process != 0 && us > 0) {
            preempted_us += (unsigned)us;
            preemptions++;
        }
        clock_seen.seen = now;
        clock_seen.process = self;
    }
}

static void preemption(struct kind* kind) {
    stop = 0;
    clock_seen.process = 0;
    preempted_us = preemptions = 0;
    int one = process_spawn(compute, kind, 1), two = process_spawn(compute, kind, 1);
    const uint32_t begin = clock_us();
    while (clock_us() - begin < 200000) {
    }
    stop = 1;
    process_wait(one);
    process_wait(two);
    report_mean(kind->name, preempted_us, preemptions);
}

int main(void) {
    // Shared, since the stack is private.
    static struct kind kinds[] = {{"preemption_us", false}, {"preemption_fpu_us", true}};
    system_calls();
    yield_alone();
    switches();
    wake_often();
    interrupts();
    for (unsigned i = 0; i < 2; i++) preemption(&kinds[i]);
    return 0;
}
