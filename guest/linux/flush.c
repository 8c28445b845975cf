// SPDX-License-Identifier: MIT

// Old translations of pages. Who changes page tables asks the processors that use them to clear
// their TLB, and waits, perhaps with a lock. A processor answers as soon as it enables interrupts,
// and in every loop in which it waits: also for a lock (waits.h).

#include "memory.h"
#include "symsim.h"
#include "thread.h"

// `asked` counts requests; `answered` is its value at the last flush.
static struct flushes {
    LINE_ALIGNED volatile unsigned asked;
    LINE_ALIGNED volatile unsigned answered;
} flushes[MAX_PROCESSORS];

void answer_flush(void) {
    struct flushes* own = &flushes[read_register(BOARD_PROCESSOR)];
    const unsigned asked = own->asked;
    if (asked == own->answered) return;
    flush_pages();
    own->answered = asked;
}

static unsigned ask(unsigned processor) {
    struct flushes* other = &flushes[processor];
    __asm__ volatile("lock incl %0" : "+m"(other->asked) : : "memory");
    return other->asked;
}

void memory_flush(struct memory* memory) {
    const unsigned here = read_register(BOARD_PROCESSOR);
    stores_before_loads();
    for (unsigned i = 0; i < processors(); i++) {
        if (kernel_processors[i].space != memory->space) continue;
        if (i == here) {
            flush_pages();
            continue;
        }
        const unsigned asked = ask(i);
        kick(i);
        while ((int)(flushes[i].answered - asked) < 0) answer_flush();
    }
}
