// SPDX-License-Identifier: MIT

// Each processor in turn gets its sections while all others keep taking the lock, with pauses in
// between, until it is done: nobody is left out for ever. Arguments: turns each, default 5;
// pause_sections, the mean pause in lengths of a section, default PAUSE_SECTIONS.
//
// Result: overtaken, the most sections by others that one acquisition of such a processor waited
// for. With LOCK_IS_FIFO it is at most one of each, and one more of those who were quicker on the
// way to the queue.
//
// Twenty processors with pauses of five sections want the lock three times as often as it is to be
// had. Where waiting is no claim, some do starve then: with static delays those of the high slots.

#include "lock.h"
#include "test.h"

#ifdef LOCK_IS_FIFO
#define PAUSE_SECTIONS 5
#else
#define PAUSE_SECTIONS 25
#endif

#define SECTION_TURNS 16  // of an empty loop, 10 us

static struct lock lock = LOCK_INIT;

static struct { LINE_ALIGNED volatile unsigned served; } shared;   // processors that are done
static struct { LINE_ALIGNED volatile unsigned entries; } inside;  // written with the lock
static unsigned turns, pause_sections;
static unsigned overtaken;  // written by the processor whose turn it is

static void pass_turns(unsigned number) {
    if (number != 0) __asm__ volatile("1: decl %0; jnz 1b" : "+r"(number) : : "cc");
}

// How many entries there were between the attempt and its success.
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
#ifdef LOCK_IS_FIFO
    CHECK(overtaken <= 2 * (processors() - 1));
#endif
    return 0;
}
