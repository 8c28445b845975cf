// SPDX-License-Identifier: MIT

// A lock to be checked by `symlab check`: every processor acquires it a few times. The shared part
// makes few memory accesses, since a search tries each of them as a point of preemption.
//
// Arguments   acquisitions  of each processor; default 2
//             try           1: each acquisition is first tried by lock_try, if the lock has it;
//                           default 0
//             lock          if given, must be the lock this image is built with
// Checks      no two processors are in the section at once: the mark of each stays while it is
//             inside, and the counter ends at the number of all acquisitions
//
// A slot may be used again as soon as lock_release() has returned: all locks promise that.

#include "checked.h"
#include "workload.h"

static struct lock lock = LOCK_INIT;

static struct {
    LINE_ALIGNED volatile unsigned count;
    volatile unsigned inside;  // number of the processor that is in the section, from 1
} section;
CHECKED_GUARDED(lock, section);

// `end` gives an element a size of its own where a lock needs no slot.
static struct {
    LINE_ALIGNED struct lock_slot slot;
    char end;
} slots[MAX_PROCESSORS];
CHECKED_OBJECTS(slots);

static struct { LINE_ALIGNED unsigned acquisitions, try; } plan;  // by processor 0

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct lock_slot* slot = &slots[cpu].slot;
    const bool try = LOCK_HAS_TRY && plan.try != 0;
    unsigned left = plan.acquisitions;

    MEMORY_FREE(slot);
    barrier();
    PROBE(PROBE_REGION_BEGIN, TIMED_REGION);
    do {
        MEMORY_USED(slot);
        if (try && lock_try(&lock, slot)) {
            section.inside = cpu + 1;  // in each branch, else the probes of both would join
        } else {
            lock_acquire(&lock, slot);
            section.inside = cpu + 1;
        }
        section.count = section.count + 1;
        if (section.inside != cpu + 1) panic("two processors are in the section");
        lock_release(&lock, slot);
        MEMORY_FREE(slot);
    } while (--left != 0);
    PROBE(PROBE_REGION_END, TIMED_REGION);
}

int main(void) {
    check_lock_argument();
    plan.acquisitions = arg_unsigned("acquisitions", 2);
    plan.try = arg_unsigned("try", 0);
    if (plan.acquisitions == 0) panic("acquisitions must be at least 1");
    run_on_all(run, NULL);
    const unsigned expected = plan.acquisitions * processors();
    if (section.count == expected) return 0;
    printf("the counter is %u after %u acquisitions\n", section.count, expected);
    return 1;
}
