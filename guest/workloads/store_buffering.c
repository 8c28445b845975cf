// SPDX-License-Identifier: MIT

// The litmus test "store buffering" (SB), the core of Dekker's and Peterson's algorithms:
//
//     processor 0: x = 1; r0 = y;          processor 1: y = 1; r1 = x;
//
// In every interleaving of the four accesses at least one processor reads 1. Both read 0 only if a
// load overtakes the store before it. Processors from 2 on only make the bus busy, with stores.
//
// Arguments   rounds  of the test; default 1000
//             fence   1: a locked instruction is between store and load; default 0
// Results     r0_r1_00, r0_r1_01, r0_r1_10, r0_r1_11: rounds that ended so
// Checks      no round is missing

#include "symsim.h"

#define MOST_TURNS 32  // a processor waits for fewer iterations before a round

static struct { LINE_ALIGNED volatile unsigned value; } x, y, noise[64];
static struct { LINE_ALIGNED unsigned value; } read_by[2];
static unsigned ended[2][2];  // rounds, by r0 and r1
static unsigned rounds, fence;

static inline __attribute__((always_inline)) void wait_turns(unsigned turns) {
    for (; turns != 0; turns--) __asm__ volatile("");
}

// One round of one processor: stores to `mine`, loads from `other`. The load hits the cache, so
// that it does not wait for the bus as the store does.
static __attribute__((noinline)) unsigned one_round(volatile unsigned* mine,
                                                    const volatile unsigned* other, unsigned turns,
                                                    unsigned with_fence) {
    unsigned seen = *other;
    wait_turns(turns);
    if (with_fence) {
        *mine = 1;
        __asm__ volatile("lock orl $0, (%%esp)" : : : "memory");
        seen = *other;
    } else {
        *mine = 1;
        seen = *other;
    }
    return seen;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    for (unsigned i = 0; i < rounds; i++) {
        if (cpu == 0) x.value = y.value = 0;
        barrier();
        if (cpu < 2) {
            unsigned turns = random_below(MOST_TURNS);
            read_by[cpu].value = one_round(cpu == 0 ? &x.value : &y.value,
                                           cpu == 0 ? &y.value : &x.value, turns, fence);
        } else {
            for (unsigned n = 0; n < MOST_TURNS; n++) noise[cpu].value = n;
        }
        barrier();
        if (cpu == 0) ended[read_by[0].value][read_by[1].value]++;
    }
}

int main(void) {
    rounds = arg_unsigned("rounds", 1000);
    fence = arg_unsigned("fence", 0);
    if (processors() < 2) panic("store buffering needs 2 processors, this machine has one");
    run_on_all(run, NULL);
    report("r0_r1_00", ended[0][0]);
    report("r0_r1_01", ended[0][1]);
    report("r0_r1_10", ended[1][0]);
    report("r0_r1_11", ended[1][1]);
    return ended[0][0] + ended[0][1] + ended[1][0] + ended[1][1] == rounds ? 0 : 1;
}
