// SPDX-License-Identifier: MIT

// The work-stealing deque of Cilk-5: M. Frigo, C. Leiserson and K. Randall, "The Implementation of
// the Cilk-5 Multithreaded Language", PLDI 1998, section 5 (the THE protocol). The owner takes from
// the tail, thieves from the head under a lock. Each lowers or raises its end first and then looks
// at the other end; on a conflict it steps back. Processor 0 owns; the others steal.

#include "each.h"
#include "lock.h"

#define ITEMS 3

static struct lock lock = LOCK_INIT;
static struct word head, tail = {ITEMS};
static struct word taken[ITEMS];  // how often each item was taken

static void count(unsigned item) {
    __asm__ volatile("lock incl %0" : "+m"(taken[item].word) : : "memory", "cc");
}

static bool owner_take(unsigned* item) {
    const unsigned last = tail.word - 1;
    exchange_word(&tail.word, last);  // before the load of head: ordering.h rule 4
    *item = last;
    if ((int)head.word <= (int)last) return true;
    struct lock_slot slot;
    lock_acquire(&lock, &slot);  // a thief may be stepping back
    const bool left = (int)head.word <= (int)last;
    if (!left) tail.word = last + 1;
    lock_release(&lock, &slot);
    return left;
}

static void steal(void) {
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    const unsigned first = head.word;
    exchange_word(&head.word, first + 1);  // before the load of tail
    if ((int)(first + 1) > (int)tail.word)
        head.word = first;
    else
        count(first);
    lock_release(&lock, &slot);
}

static void each(unsigned cpu) {
    if (cpu != 0) {
        steal();
        steal();
        return;
    }
    unsigned item;
    while (owner_take(&item)) count(item);
}

static bool check(void) {
    for (unsigned i = 0; i < ITEMS; i++)
        if (taken[i].word != 1) return false;
    return true;
}
