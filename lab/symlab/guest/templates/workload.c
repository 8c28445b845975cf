// SPDX-License-Identifier: MIT

// All processors add to a counter under a lock. Say here in one sentence what your program
// measures.
//
// Arguments   turns       of each processor; default 1000
// Results     elapsed_us  from the common start to the end of the last turn
// Checks      no addition is lost

#include "cpu.h"
#include "lock.h"
#include "symsim.h"

static struct lock lock = LOCK_INIT;

// In a line of its own, so that no other data moves with it from cache to cache.
static struct { LINE_ALIGNED volatile unsigned value; } counter;

static uint32_t start_us, end_us;

static void run(unsigned cpu, void* argument) {
    unsigned turns = *(const unsigned*)argument;
    struct lock_slot slot;

    barrier();  // all processors start together
    if (cpu == 0) start_us = clock_us();
    for (unsigned i = 0; i < turns; i++) {
        lock_acquire(&lock, &slot);
        counter.value = counter.value + 1;
        lock_release(&lock, &slot);
    }
    barrier();
    if (cpu == 0) end_us = clock_us();
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 1000);
    run_on_all(run, &turns);
    report("elapsed_us", end_us - start_us);
    unsigned expected = turns * processors();
    if (counter.value == expected) return 0;
    printf("the counter is %u, not %u\n", counter.value, expected);
    return 1;
}
