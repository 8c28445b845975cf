// SPDX-License-Identifier: MIT

// No processor starves: each in turn executes `turns` critical sections while all others acquire
// the lock again and again, with pauses in between. Arguments: turns, default 5; pause_sections,
// the mean pause as a multiple of a section's length, default PAUSE_SECTIONS.
//
// Result: overtaken, the largest number of sections by others between an acquire and its success.
// With LOCK_FIFO arrival that is at most two for each other processor: one that was in the queue
// before, and one by a processor that joined the queue faster.
//
// With pauses of five sections, twenty processors ask for three times as many sections as the lock
// can serve. Locks without a queue then starve some: static delays those with high slot numbers.

#include "lock.h"
#include "test.h"

#if LOCK_SERVES_IN_ORDER_OF_ARRIVAL
#define PAUSE_SECTIONS 5
#else
#define PAUSE_SECTIONS 25
#endif

#define SECTION_TURNS 16  // iterations of an empty loop, 10 us

static struct lock lock = LOCK_INIT;

static struct { LINE_ALIGNED volatile unsigned served; } shared;   // processors that are done
static struct { LINE_ALIGNED volatile unsigned entries; } inside;  // written with the lock held
static unsigned turns, pause_sections;
static unsigned overtaken;  // written only by the favoured processor

static void pass_turns(unsigned number) {
    if (number != 0) __asm__ volatile("1: decl %0; jnz 1b" : "+r"(number) : : "cc");
}

// Returns the number of sections by others between the start of the acquire and its success.
static unsigned one_turn(void) {
    struct lock_slot slot;
    unsigned before = inside.entries;
    lock_acquire(&lock, &slot);
    unsigned at_entry = inside.entries;
    pass_turns(SECTION_TURNS);
    inside.entries = at_entry + 1;
    lock_release(&lock, &slot);
    pass_turns(random_below(2 * SECTION_TURNS * pause_sections));
    return at_entry - before;
}

static void serve_each(unsigned cpu, void* unused) {
    (void)unused;
    barrier();
    for (unsigned favoured = 0; favoured < processors(); favoured++) {
        if (cpu != favoured) {
            while (shared.served == favoured) one_turn();
            continue;
        }
        for (unsigned i = 0; i < turns; i++) {
            unsigned others = one_turn();
            if (others > overtaken) overtaken = others;
        }
        shared.served = favoured + 1;
    }
}

int main(void) {
    turns = arg_unsigned("turns", 5);
    pause_sections = arg_unsigned("pause_sections", PAUSE_SECTIONS);
    run_on_all(serve_each, NULL);
    report("overtaken", overtaken);
#if LOCK_SERVES_IN_ORDER_OF_ARRIVAL
    CHECK(overtaken <= 2 * (processors() - 1));
#endif
    return 0;
}
