// SPDX-License-Identifier: MIT

// The counter of ALL Figure 4.1 (claims ALL-43 to ALL-48). All processors loop: acquire the lock,
// add 1 and test, release the lock, until the counter has reached a total. The images section-LOCK,
// for Figure 4.2, do more work in the section (section_work.h).
//
// Arguments   increments  total of all processors; at least one per processor; default 1000000
//             lock        if given, must be the lock this image is built with
//             work        for section-LOCK: units of section_work.h in each section; default 0
// Results     elapsed_us, increments, share_minimum, share_maximum (increments by one processor)
// Checks      the counter, and the sum of the processors' own counts, must equal the total
//
// There is one image per lock, so the timed part has no indirect call: it is only the loop in
// `run`. Its only addition to the paper's loop is each processor's own count, outside the section.
// Only that count reveals an update lost in the shared counter.

#include "cpu.h"
#include "section_work.h"
#include "workload.h"

static struct lock counter_lock = LOCK_INIT;

static struct { LINE_ALIGNED volatile unsigned value; } counter;

// Each processor writes its own once, after the end.
static struct { LINE_ALIGNED unsigned increments; } shares[MAX_PROCESSORS];

static unsigned last;  // a processor that counts to this number or beyond stops
static uint32_t start_us, end_us;

// The first to see `last` stops, and each of the others after one more increment. So the counter
// ends at `last` + processors - 1, and `setup` makes that the total.
static void setup(unsigned increments) {
    if (increments < processors()) panic("increments must be at least %u", processors());
    check_lock_argument();
    section_work_setup();
    last = increments - (processors() - 1);
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot slot;
    KEPT_IN_MEMORY unsigned stop_at = last;
    KEPT_IN_MEMORY unsigned own = 0;
    KEPT_IN_MEMORY bool done;

    barrier();
    if (cpu == 0) start_us = clock_us();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    do {
        lock_acquire(&counter_lock, &slot);
        counter.value = counter.value + 1;
        section_work(cpu);
        done = counter.value >= stop_at;
        lock_release(&counter_lock, &slot);
        own++;
    } while (!done);
    PROBE(PROBE_REGION_END, TIMED_REGION);
    barrier();
    if (cpu == 0) end_us = clock_us();
    shares[cpu].increments = own;
}

static bool check(unsigned increments) {
    unsigned sum = 0;
    for (unsigned i = 0; i < processors(); i++) sum += shares[i].increments;
    if (counter.value == increments && sum == increments) return true;
    printf("counter is %u, the processors counted %u, both should be %u\n", counter.value, sum,
           increments);
    return false;
}

static void report_shares(void) {
    unsigned minimum = UINT32_MAX, maximum = 0;
    for (unsigned i = 0; i < processors(); i++) {
        if (shares[i].increments < minimum) minimum = shares[i].increments;
        if (shares[i].increments > maximum) maximum = shares[i].increments;
    }
    report("share_minimum", minimum);
    report("share_maximum", maximum);
}

int main(void) {
    unsigned increments = arg_unsigned("increments", 1000000);
    setup(increments);
    run_on_all(run, NULL);
    report("elapsed_us", end_us - start_us);
    report("increments", counter.value);
    report_shares();
    return check(increments) ? 0 : 1;
}
