// SPDX-License-Identifier: MIT

// Bus demand of spinning, ALL section 5.1 (claim ALL-70). Some processors execute private copies
// of the counter's section, each with its own lock and counter. The others share one copy, so all
// of them but one spin. The slowdown of the private copies shows what the spinners take from the
// bus.
//
// Arguments   private   processors with private copies; the rest share; default 2
//             sections  of processor 0's private copy; default 2000
//             lock      if given, must be the lock this image is built with
// Results     elapsed_us of processor 0's sections; private_sections and shared_sections: all done
//             in that time; spinners
// Checks      all counters

#include "workload.h"

// Private copies, indexed by processor; the last is the shared one.
static struct {
    struct lock lock;
    LINE_ALIGNED volatile unsigned value;
} copies[MAX_PROCESSORS + 1];

static struct { LINE_ALIGNED unsigned sections; } shares[MAX_PROCESSORS];
static struct { LINE_ALIGNED volatile unsigned flag; } stop;

static unsigned private_processors, sections;
static uint32_t start_us, end_us;

// One copy of the loop for private and shared sections, so that both are the same instructions.
static unsigned count(unsigned copy, unsigned turns) {
    struct lock_slot slot;
    KEPT_IN_MEMORY unsigned done = 0;
    do {  // endless if turns is 0
        lock_acquire(&copies[copy].lock, &slot);
        copies[copy].value = copies[copy].value + 1;
        lock_release(&copies[copy].lock, &slot);
    } while (++done != turns && !stop.flag);
    return done;
}

// All continue until processor 0 is done, so that the load on the bus is constant until then.
static void run(unsigned cpu, void* unused) {
    (void)unused;
    barrier();
    if (cpu == 0) start_us = clock_us();
    shares[cpu].sections =
        count(cpu < private_processors ? cpu : MAX_PROCESSORS, cpu == 0 ? sections : 0);
    if (cpu == 0) {
        end_us = clock_us();
        stop.flag = 1;
    }
    barrier();
}

static bool check(void) {
    unsigned shared = 0, private = 0;
    for (unsigned i = 0; i < processors(); i++) {
        if (i >= private_processors) {
            shared += shares[i].sections;
            continue;
        }
        private += shares[i].sections;
        if (copies[i].value != shares[i].sections) return false;
    }
    report("private_sections", private);
    report("shared_sections", shared);
    return shared == copies[MAX_PROCESSORS].value;
}

int main(void) {
    check_lock_argument();
    private_processors = arg_unsigned("private", 2);
    sections = arg_unsigned("sections", 2000);
    if (private_processors < 1 || private_processors > processors() || sections < 1)
        panic("private must be 1 to %u, sections at least 1", processors());
    for (unsigned i = 0; i <= MAX_PROCESSORS; i++) copies[i].lock = (struct lock)LOCK_INIT;
    run_on_all(run, NULL);
    unsigned sharers = processors() - private_processors;
    report("elapsed_us", end_us - start_us);
    report("spinners", sharers > 0 ? sharers - 1 : 0);
    return check() ? 0 : 1;
}
